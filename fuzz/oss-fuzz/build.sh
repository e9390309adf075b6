#!/bin/bash -eu
# Called by OSS-Fuzz with its compiler, flags and engine: each target with its dictionary and its kept inputs.
cd "$SRC/fasturl"
for target in fuzz/targets/*.c; do
    name=$(basename "$target" .c)
    objects=()
    for source in src/kernel/*.c fuzz/mutator.c "$target"; do
        object=$WORK/$(basename "$source").o
        $CC $CFLAGS -std=gnu11 -Ifuzz -Isrc/kernel -c "$source" -o "$object"
        objects+=("$object")
    done
    $CXX $CXXFLAGS "${objects[@]}" $LIB_FUZZING_ENGINE -o "$OUT/$name"
    cp fuzz/urls.dict "$OUT/$name.dict"
    inputs=(fuzz/seeds/*)
    if [ -d "fuzz/corpus/$name" ]; then inputs+=(fuzz/corpus/"$name"/*); fi
    zip -q -j "$OUT/${name}_seed_corpus.zip" "${inputs[@]}"
done
