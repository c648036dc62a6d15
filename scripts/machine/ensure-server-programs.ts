import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** By their Debian package: the programs of a server that docs/self-hosting.md speaks of, where Debian installs them. */
export const serverPrograms = {
  nginx: '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  openssl: '/usr/bin/openssl',
  systemd: '/usr/bin/systemd-analyze',
} as const

/** For the campaigns that run the service behind proxies and look at its unit. */
export function ensureServerPrograms(say: (line: string) => void): void {
  for (const [name, program] of Object.entries(serverPrograms)) {
    if (existsSync(program)) continue
    const missing = `${name} is missing; the campaigns try self-hosting/ with it.`
    const otherwise = 'The campaigns that need it run on Debian.'
    installWithApt({ package: name, missing, brew: `brew install ${name}`, otherwise }, say)
    if (existsSync(program)) continue
    throw new StopWithMessage(`${name} was installed and is still not at ${program}.`)
  }
}
