#!/bin/sh
# Removes what only building an image needs: package managers, headers and manuals.
set -eu
dpkg --purge --force-depends perl libperl5.36 perl-modules-5.36
rm -rf /var/cache/* /var/log/* /opt/yarn* /usr/local/include /usr/local/share /usr/local/lib/node_modules \
  /usr/local/bin/npm /usr/local/bin/npx /usr/share/doc /usr/share/info /usr/share/locale /usr/share/man
