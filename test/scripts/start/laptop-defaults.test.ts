import { describe, expect, it } from 'vitest'
import { laptopDefaults } from '../../../scripts/start/laptop-defaults.ts'
import { readSettings } from '../../../scripts/start/settings.ts'

const server = {
  BASE_URL: 'https://video.example.com',
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMITS: '100/60',
  MAIL_API_URL: 'https://mail.example.com',
  MAIL_API_KEY: 'key',
  MAIL_FROM: 'spool@example.com',
}
const without = (...names: (keyof typeof server)[]) =>
  laptopDefaults(
    readSettings(
      Object.fromEntries(
        Object.entries(server).filter(([name]) => !names.includes(name as keyof typeof server)),
      ),
    ),
  )

describe('laptopDefaults', () => {
  it('names each default that a public HOST leaves, and how to change it', () => {
    const warnings = laptopDefaults(readSettings({ HOST: '0.0.0.0' }))
    expect(warnings.map((text) => /but (\S+ \S+ \S+)/.exec(text)?.[1])).toEqual([
      'BASE_URL is not',
      'nothing is encrypted:',
      'RATE_LIMITS is not',
      'MAIL_API_URL is not',
    ])
    for (const text of warnings) expect(text).toMatch(/\. (Set|Put) /)
    expect(warnings[0]).toContain('begin with http://127.0.0.1:8787, which leads nowhere')
    expect(warnings[2]).toContain('limited to 1,000 a minute')
  })

  it('says that an address of the network is not encrypted, and not that it leads nowhere', () => {
    const [first = '', ...others] = laptopDefaults(readSettings({ HOST: '192.168.1.5' }))
    expect(first).toContain('nothing is encrypted')
    expect(others).toHaveLength(2)
  })

  it('names what is missing behind a proxy', () => {
    expect(without('TRUSTED_PROXIES').join()).toMatch(/TRUSTED_PROXIES is not set: .* Set TRUSTED/)
    expect(without('RATE_LIMITS')).toHaveLength(1)
    expect(without('MAIL_API_URL', 'MAIL_API_KEY', 'MAIL_FROM')).toHaveLength(1)
  })

  it('says nothing of a server that is set up, or on a laptop', () => {
    expect(without()).toEqual([])
    expect(laptopDefaults(readSettings({}))).toEqual([])
    expect(laptopDefaults(readSettings({ BASE_URL: 'http://localhost:8787' }))).toEqual([])
  })
})
