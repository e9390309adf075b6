#!/bin/bash -eu
# OSS-Fuzz calls this with its compiler, flags and engine. It builds each target with its dictionary and kept inputs.
cd "$SRC/fasturl"
python3 fuzz/run.py --seeds "$WORK/seeds"
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
    cp "fuzz/corpus/${name}_seed_corpus.zip" "$OUT/"
    zip -q -j "$OUT/${name}_seed_corpus.zip" "$WORK"/seeds/*
done
