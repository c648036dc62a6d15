import { describe, expect, it } from 'vitest'
import { defaultAllowedHosts } from '../../../scripts/start/default-allowed-hosts.ts'

describe('defaultAllowedHosts', () => {
  const laptop = 'localhost,127.0.0.1'

  it('allows the own machine while nobody else can reach the service', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '[::1]', '127.0.0.2', 'LOCALHOST.']) {
      expect(defaultAllowedHosts({ host, baseUrl: undefined })).toBe(laptop)
      expect(defaultAllowedHosts({ host, baseUrl: 'http://localhost:8787' })).toBe(laptop)
    }
  })

  it('allows nothing if the service listens for others', () => {
    for (const host of ['0.0.0.0', '::', '[::]', '0', '192.168.1.5', 'studio.lan', '', 'a b']) {
      expect(defaultAllowedHosts({ host, baseUrl: undefined })).toBe('')
      expect(defaultAllowedHosts({ host, baseUrl: 'http://127.0.0.1:8787' })).toBe('')
    }
  })

  it('allows nothing if others reach it by another address', () => {
    for (const baseUrl of [
      'https://spool.example',
      'http://192.168.1.5:8787',
      'http://0.0.0.0',
      'x',
    ]) {
      expect(defaultAllowedHosts({ host: '127.0.0.1', baseUrl })).toBe('')
    }
  })
})
