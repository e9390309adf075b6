# Ruby's URI. The protocol is in tools/readers.py.
require "uri"

hex = ->(part) { part.to_s.empty? ? "-" : part.to_s.unpack1("H*") }
STDIN.each_line(chomp: true) do |line|
  begin
    uri = URI.parse([line[1..]].pack("H*").force_encoding("UTF-8"))
    user, password = uri.userinfo.to_s.split(":", 2)
    puts [uri.scheme, user, password, uri.host, uri.port == uri.default_port ? nil : uri.port].map(&hex).join(" ")
  rescue StandardError
    puts "!"
  end
end
