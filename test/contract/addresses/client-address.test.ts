import { describe, expect, it } from 'vitest'
import {
  clientAddressOf,
  isLoopbackAddress,
  parseTrustedProxies,
} from '../../../worker/contract/addresses/client-address.ts'

const proxies = parseTrustedProxies('127.0.0.1, 10.0.0.0/8, fd00::/8')

const clientOf = (peer: string, told?: string) => clientAddressOf(peer, told, proxies)

describe('clientAddressOf', () => {
  it.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[::ffff:192.0.2.7]:4711', '192.0.2.7'],
    ['[fe80::1%eth0]:4711', 'fe80::1'],
    ['@', undefined],
  ])('takes the connection from %s as from %s', (peer, expected) => {
    expect(clientOf(peer)).toBe(expected)
  })

  it('does not believe what a stranger says of itself', () => {
    expect(clientOf('192.0.2.7:1', '203.0.113.9')).toBe('192.0.2.7')
  })

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, 10.1.2.3, 10.9.9.9', '203.0.113.9'],
    // The client has sent the first entry itself.
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.5, 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1, 203.0.113.9, 127.0.0.1', '203.0.113.9'],
    ['203.0.113.9:5050', '203.0.113.9'],
    ['[2001:db8::17]:5050', '2001:db8::17'],
    ['2001:db8::17', '2001:db8::17'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    // Every hop is a proxy: the outermost one asked.
    ['10.0.0.5, 10.0.0.6', '10.0.0.5'],
  ])('reads %s of a proxy from the right as %s', (told, expected) => {
    expect(clientOf('127.0.0.1:4711', told)).toBe(expected)
  })

  it.each([['unknown'], [''], ['203.0.113.9, nonsense'], ['0x7f000001'], ['1.2.3'], [undefined]])(
    'stays with the proxy if it says only %s',
    (told) => {
      expect(clientOf('10.0.0.2:4711', told)).toBe('10.0.0.2')
    },
  )

  it('compares each address with networks of its own kind', () => {
    expect(clientOf('[fd12::1]:80', '2001:db8::1')).toBe('2001:db8::1')
    expect(clientOf('[::ffff:10.0.0.1]:80', '203.0.113.9')).toBe('203.0.113.9')
    expect(clientOf('[2001:db8::5]:80', '203.0.113.9')).toBe('2001:db8::5')
  })
})

describe('parseTrustedProxies', () => {
  it('trusts nobody by default', () => {
    expect(parseTrustedProxies('')).toEqual([])
  })

  it.each([
    ['10.0.0.0/33', '"10.0.0.0/33" is not an address or a network'],
    ['proxy.lan', '"proxy.lan" is not an address or a network'],
    ['10.1', '"10.1" is not an address or a network'],
    ['127.0.0.1 10.0.0.1', 'is not an address or a network'],
    ['0.0.0.0/0', '"0.0.0.0/0" would believe every sender'],
    ['::/0', '"::/0" would believe every sender'],
  ])('refuses %s', (text, message) => {
    expect(() => parseTrustedProxies(text)).toThrow(message)
  })
})

describe('isLoopbackAddress', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['192.0.2.7', false],
    ['unknown', false],
  ])('%s: %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected)
  })
})
