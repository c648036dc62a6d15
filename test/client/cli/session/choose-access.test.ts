import { describe, expect, it } from 'vitest'
import { chooseAccess, serviceAddress } from '../../../../client/src/cli/session/choose-access.ts'

const here = { baseUrl: 'http://127.0.0.1:8787', apiKey: 'spool_here' }
const there = { baseUrl: 'https://video.example.com', apiKey: 'spool_there' }
const profiles = { default: here, there }

describe('chooseAccess', () => {
  it('uses what login has kept', () => {
    expect(chooseAccess({ env: {}, profiles })).toMatchObject(here)
    expect(chooseAccess({ env: {}, profiles, profile: 'there' })).toMatchObject(there)
    expect(chooseAccess({ env: { SPOOL_PROFILE: 'there' }, profiles })).toMatchObject(there)
  })

  it('prefers the environment, unless a profile was asked for', () => {
    const env = { SPOOL_API_KEY: ' spool_env\n', SPOOL_BASE_URL: 'https://other.example.com' }
    const other = { apiKey: 'spool_env', baseUrl: 'https://other.example.com' }
    expect(chooseAccess({ env, profiles })).toMatchObject(other)
    expect(chooseAccess({ env: { SPOOL_API_KEY: 'k' }, profiles })).toMatchObject({
      apiKey: 'k',
      baseUrl: here.baseUrl,
    })
    const named = { SPOOL_API_KEY: 'spool_env' }
    expect(chooseAccess({ env: named, profiles, profile: 'there' })).toMatchObject(there)
  })

  it('sends a kept key to no other service', () => {
    const elsewhere = { env: {}, profiles, baseUrl: 'https://evil.example.com' }
    expect(() => chooseAccess(elsewhere)).toThrow('is for http://127.0.0.1:8787')
    expect(chooseAccess({ env: {}, profiles, baseUrl: 'http://127.0.0.1:8787/' })).toMatchObject(
      here,
    )
  })

  it('understands addresses as people write them', () => {
    expect(serviceAddress('localhost:8787')).toBe('http://localhost:8787')
    expect(serviceAddress('video.example.com/spool/')).toBe('https://video.example.com/spool')
    expect(serviceAddress('http://box.lan:8787')).toBe('http://box.lan:8787')
    for (const text of ['ftp://box', 'https://', 'not an address']) {
      expect(() => serviceAddress(text)).toThrow(`cannot be "${text}"`)
    }
  })

  it('says how to log in', () => {
    expect(() => chooseAccess({ env: {}, profiles: {} })).toThrow('not logged in')
    expect(() => chooseAccess({ env: {}, profiles, profile: 'nope' })).toThrow(
      'There is no profile nope. There are: default, there.',
    )
  })
})
