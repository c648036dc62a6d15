#!/bin/sh
# The programs and fonts of both images, without what they never load: drivers of graphics cards, and fonts that no
# caption is drawn with. Ends with an error if ffmpeg does not start without them.
set -eu
apt-get update
apt-get install --yes --no-install-recommends "ffmpeg=7:5.1.*" \
  fonts-inter fonts-noto-core fonts-noto-cjk fonts-symbola ca-certificates tini
dpkg --purge --force-depends libgl1-mesa-dri libllvm15 libz3-4
rm -rf /var/lib/apt/lists/* /usr/lib/*/mfx /usr/lib/*/libmfxhw* /usr/share/fonts/opentype/noto/NotoSerifCJK-*
ffmpeg -hide_banner -filters >/dev/null
