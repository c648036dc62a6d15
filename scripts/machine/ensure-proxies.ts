import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** Where Debian installs the proxies that docs/self-hosting.md describes, and what makes a certificate for them. */
export const proxyPrograms = {
  nginx: '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  openssl: '/usr/bin/openssl',
} as const

/** For the campaign that runs the service behind them. */
export function ensureProxies(say: (line: string) => void): void {
  for (const [name, program] of Object.entries(proxyPrograms)) {
    if (existsSync(program)) continue
    const missing = `${name} is missing; the campaigns run the service behind it.`
    const otherwise = 'The campaigns that need it run on Debian.'
    installWithApt({ package: name, missing, brew: `brew install ${name}`, otherwise }, say)
    if (existsSync(program)) continue
    throw new StopWithMessage(`${name} was installed and is still not at ${program}.`)
  }
}
