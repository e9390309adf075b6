# Perl's URI. The protocol is in tools/readers.py.
use strict;
use warnings;
use URI;

sub hex_of {
    my ($part) = @_;
    return "-" if !defined $part || $part eq "";
    utf8::encode($part) if utf8::is_utf8($part);
    return unpack "H*", $part;
}

$| = 0;
while (my $line = <STDIN>) {
    chomp $line;
    my $text = pack "H*", substr $line, 1;
    utf8::decode($text);
    my $answer = eval {
        my $uri = URI->new($text);
        my $login = $uri->can("userinfo") ? $uri->userinfo : undef;
        my ($user, $password) = defined $login ? split(/:/, $login, 2) : ();
        # A scheme that Perl does not know, or whose URL it takes for opaque, has no host.
        die if !$uri->can("host") && $uri =~ m{^[^/?#]*//};
        my $host = $uri->can("host") ? $uri->host : undef;
        # Perl leaves a port without digits in the host, which no resolver knows.
        die if defined $host && $host =~ /:/ && ($host =~ /:$/ || $host !~ /:.*:/);
        my $port = $uri->can("port") ? $uri->port : undef;
        $port = undef if defined $port && $uri->can("default_port") && $port eq ($uri->default_port // "");
        join " ", map { hex_of($_) } $uri->scheme, $user, $password, $host, $port;
    };
    print defined $answer ? "$answer\n" : "!\n";
}
