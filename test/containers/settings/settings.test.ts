import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../../containers/settings/settings.ts'

const token = { MEDIA_WORKER_TOKEN: 'sixteen-letters-or-more' }

describe('loadSettings', () => {
  it('needs nothing but the token', () => {
    expect(loadSettings(token)).toMatchObject({
      MEDIA_HOST: '127.0.0.1',
      MAX_SOURCE_BYTES: 2_147_483_648,
      MAX_PIXELS: 40_000_000,
      MEDIA_FETCHING: 8,
    })
    expect(loadSettings(token).MEDIA_SLOTS).toBeGreaterThanOrEqual(1)
  })

  it('treats an empty variable as absent', () => {
    expect(loadSettings({ ...token, MAX_PIXELS: '' }).MAX_PIXELS).toBe(40_000_000)
    expect(() => loadSettings({ MEDIA_WORKER_TOKEN: '' })).toThrow('MEDIA_WORKER_TOKEN is required')
  })

  it('names every variable that is wrong', () => {
    const env = { ...token, MEDIA_SLOTS: '0', MAX_PIXELS: 'many', ALLOW_PRIVATE_HOSTS: 'a:b:c' }
    expect(() => loadSettings(env)).toThrow(
      /ALLOW_PRIVATE_HOSTS .*; MEDIA_SLOTS must be a whole number .*; MAX_PIXELS must be a whole number/,
    )
  })

  it('never repeats a value in its message', () => {
    expect(() => loadSettings({ MEDIA_WORKER_TOKEN: 'secret' })).toThrow(/^(?!.*secret)/)
  })
})
