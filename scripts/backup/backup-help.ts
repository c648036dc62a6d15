const common = `  --json         print the answer as JSON (with npm: npm run --silent admin -- …)
  --help         this text

The data directory is that of SPOOL_DATA_DIR (default .spool in the repository). docs/backup.md says more.
`

export function backupHelp(): string {
  return `Copy a service, running or stopped, into a new folder in DIR.

  npm run admin -- backup DIR [--keep N]

Everything that the service needs to go on elsewhere is in it, its secrets included: keep DIR where only you can read
it, and on another disk. A running service is paused for some milliseconds. Videos that an earlier backup in DIR has as
well take no space again. Ctrl-C leaves nothing behind.

  --keep N       remove all but the newest N backups in DIR, once the new one is whole
${common}`
}

export function restoreHelp(): string {
  return `Copy a backup into an empty data directory, and check every file of it.

  SPOOL_DATA_DIR=/var/lib/spool npm run admin -- restore DIR [--check]

DIR is one backup, or a folder of backups, of which the newest is taken.

  --check        only read the backup and compare it with its hashes; restore nothing
${common}`
}
