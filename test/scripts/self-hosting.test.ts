import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/machine/checkout.ts'
import { serverPrograms } from '../../scripts/machine/ensure-campaign-programs.ts'
import { operatorSettings } from '../../worker/contract/settings/table.ts'
import { parseTrustedProxies } from '../../worker/contract/addresses/client-address.ts'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const unitFile = path.join(root, 'self-hosting/spool.service')

describe('self-hosting/spool.service', () => {
  const unit = read('self-hosting/spool.service')

  it('is understood by systemd', { tags: 'campaign' }, () => {
    const { status, stderr } = spawnSync(serverPrograms.systemd, ['verify', unitFile], {
      encoding: 'utf8',
    })
    // Only the words about this unit: the machine of a test need not run systemd.
    expect(stderr.split('\n').filter((line) => line.includes('spool.service'))).toEqual([])
    expect(status).toBe(0)
  })

  it('lets Spool stop its own processes, and forbids nothing that confines ffmpeg or runs JavaScript', () => {
    expect(unit).toMatch(/^KillMode=mixed$/m)
    expect(unit).toMatch(/^OOMPolicy=continue$/m)
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
    expect(unit).not.toMatch(
      /^(RestrictNamespaces|PrivateUsers|SystemCallFilter|MemoryDenyWriteExecute)=/m,
    )
    const [, script = ''] = /^ExecStart=\/usr\/bin\/node (\S+) start$/m.exec(unit) ?? []
    expect(existsSync(path.join(root, script))).toBe(true)
  })
})

it('self-hosting/Dockerfile passes its linter', () => {
  expect(validate(read('self-hosting/Dockerfile'))).toEqual([])
})

describe('self-hosting/compose.yaml', () => {
  type Service = {
    build?: { context: string; dockerfile: string }
    environment?: Record<string, string>
    ports?: string[]
    volumes?: string[]
  }
  const compose = parse(read('self-hosting/compose.yaml')) as {
    services: Record<'spool' | 'caddy' | 'media', Service>
    networks: { default: { ipam: { config: { subnet: string }[] } } }
    volumes: Record<string, unknown>
  }
  const { spool, caddy, media } = compose.services

  it('builds from files that exist, and keeps data in volumes of its own', () => {
    for (const { build } of [spool, media]) {
      expect(existsSync(path.join(root, build?.dockerfile ?? 'nothing'))).toBe(true)
      expect(build?.context).toBe('..')
    }
    expect(spool.volumes).toEqual(['spool:/var/lib/spool'])
    expect(caddy.volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro')
  })

  it('sets only settings that exist, and trusts exactly its own network', () => {
    const known = new Set<string>(operatorSettings.map(([name]) => name))
    const ours = Object.keys(spool.environment ?? {}).filter((name) => !name.startsWith('MEDIA_'))
    expect(ours.filter((name) => !known.has(name))).toEqual([])
    const trusted = spool.environment?.['TRUSTED_PROXIES'] ?? ''
    expect(trusted).toBe(compose.networks.default.ipam.config[0]?.subnet)
    expect(parseTrustedProxies(trusted)).toHaveLength(1)
  })

  it('lets nobody reach the service except through Caddy', () => {
    expect(spool.ports).toBeUndefined()
    expect(caddy.environment?.['SPOOL_UPSTREAM']).toBe('spool:8787')
    for (const name of Object.keys(caddy.environment ?? {})) {
      expect(read('self-hosting/Caddyfile')).toContain(`{$${name}:`)
    }
  })
})
