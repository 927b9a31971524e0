#!/bin/sh
# embed.sh BUILD_DIR: installs into a directory of its own, builds strangers against that, runs them.
set -eu
build=$1
here=$(dirname "$(readlink -f "$0")")
root=$build/embed
flags="-Wall -Wextra -Wpedantic -Werror"
rm -rf "$root"
mkdir -p "$root"
cmake --install "$build" --prefix "$root/usr" >"$root/install.log"

echo "== the unit starts what was installed"
unit=$(find "$root/usr" -name rookeryd.service)
[ -z "$unit" ] || grep -q "^ExecStart=$root/usr/bin/rookeryd --config $root/usr/etc/rookery/rookeryd.conf\$" "$unit"

echo "== exports: rk_* alone, from each variant and from the archive"
library=$(find "$root/usr" -name librookery.so)
archive=$(find "$root/usr" -name librookery.a)
find "$root/usr" -name 'librookery.so.?*.*' -exec nm --dynamic --defined-only {} + >"$root/names"
nm --extern-only --defined-only "$archive" >>"$root/names"
grep -q ' rk_engine_create$' "$root/names"
if awk 'NF == 3 { print $3 }' "$root/names" | grep -v '^rk_'; then exit 1; fi
readelf --dynamic "$library" | grep -q 'SONAME.*librookery\.so\.0\]'

echo "== pkg-config, in a moved prefix"
mv "$root/usr" "$root/moved"
pc=$(dirname "$(find "$root/moved" -name rookery.pc)")
libdir=$(dirname "$(find "$root/moved" -name librookery.a)")
words=$(PKG_CONFIG_PATH=$pc pkg-config --define-prefix --cflags --libs rookery 2>/dev/null ||
    PKG_CONFIG_PATH=$pc pkg-config --cflags --libs rookery)
# shellcheck disable=SC2086
cc -std=c17 $flags -o "$root/c" "$here/stranger.c" $words
# shellcheck disable=SC2086
c++ -std=c++17 $flags -o "$root/cpp" "$here/stranger.cpp" $words
LD_LIBRARY_PATH=$libdir "$root/c"
LD_LIBRARY_PATH=$libdir "$root/cpp" >/dev/null

echo "== find_package, shared and static"
for target in rookery archive; do
    cmake -G Ninja -S "$here" -B "$root/$target" -D LIBRARY=rookery::$target -D CMAKE_PREFIX_PATH="$root/moved" \
        -D CMAKE_C_FLAGS="$flags" -D CMAKE_CXX_FLAGS="$flags" >"$root/$target.log"
    cmake --build "$root/$target" >>"$root/$target.log"
    "$root/$target/stranger_c"
    "$root/$target/stranger_cpp" >/dev/null
done

echo "== the installed tool finds its library"
"$root/moved/bin/rookery" version
