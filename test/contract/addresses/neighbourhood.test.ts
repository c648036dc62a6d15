import { describe, expect, it } from 'vitest'
import { neighbourhoodOf } from '../../../worker/contract/addresses/client-address.ts'

describe('neighbourhoodOf', () => {
  it('is the same for all addresses of a /64, however they are written', () => {
    for (const ip of [
      '2001:db8:1:2::1',
      '2001:0DB8:1:2:ffff:1:2:3',
      '2001:db8:1:2::',
      '2001:db8:1:2::%eth0',
    ]) {
      expect(neighbourhoodOf(ip)).toBe('2001:db8:1:2::/64')
    }
    expect(neighbourhoodOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
    expect(neighbourhoodOf('::1')).toBe('0:0:0:0::/64')
  })

  it('is the address itself for IPv4, also when mapped into IPv6', () => {
    expect(neighbourhoodOf('203.0.113.9')).toBe('203.0.113.9')
    expect(neighbourhoodOf('::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(neighbourhoodOf('::ffff:203.0.113.10')).toBe('203.0.113.10')
  })

  it('leaves a text that is not an address unchanged', () => {
    expect(neighbourhoodOf('unknown')).toBe('unknown')
  })
})
