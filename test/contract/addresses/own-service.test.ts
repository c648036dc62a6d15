import { describe, expect, it } from 'vitest'
import {
  isOurs,
  ourSource,
  parseOwnHosts,
  parseOwnPorts,
  type OwnService,
} from '../../../worker/contract/addresses/own-service.ts'

const own: OwnService = {
  origins: ['https://api.spool.example'],
  files: 'http://127.0.0.1:8787',
  ports: parseOwnPorts('8787,41001,80'),
  hosts: parseOwnHosts('192.168.1.5,203.0.113.7,2001:db8::5,FE80::1,Studio.lan'),
}
const ours = (text: string) => isOurs(new URL(text), own)

describe('isOurs', () => {
  it.each([
    ...['localhost', 'LOCALHOST.', 'api.localhost', 'localhost.localdomain', 'ip6-localhost'],
    ...['127.0.0.1', '127.9.9.9', '2130706433', '0x7f.1..', '0.0.0.0', '[::1]', '[::]'],
    ...['[::ffff:127.0.0.1]', '192.168.1.5', '[::ffff:192.168.1.5]', '203.0.113.7'],
    ...['[2001:db8::5]', '[2001:DB8:0::5]', '[fe80::1]', 'studio.lan', 'STUDIO.lan.'],
  ])('knows every port of ours by the name %s', (host) => {
    expect(ours(`http://${host}:41001/jobs`)).toBe(true)
    expect(ours(`https://${host}:8787/v1/videos`)).toBe(true)
    expect(ours(`http://${host}/`)).toBe(true)
    expect(ours(`https://${host}/`)).toBe(false)
    expect(ours(`http://${host}:9000/a.mp4`)).toBe(false)
  })

  it('leaves the same port of another machine alone', () => {
    for (const host of ['192.168.1.6', '203.0.113.8', 'nas.lan', 'example.com', '[fe80::2]']) {
      expect(ours(`http://${host}:41001/a.mp4`)).toBe(false)
    }
  })

  it('knows the addresses it gives out, wherever they lead', () => {
    expect(ours('https://api.spool.example/v1/videos')).toBe(true)
    expect(ours('http://api.spool.example/files/t/x')).toBe(true)
    expect(ours('https://api.spool.example:8443/')).toBe(false)
  })

  it('has no effect if nothing is set', () => {
    const deployed = { ...own, files: own.origins[0] ?? '', ports: parseOwnPorts('') }
    expect(isOurs(new URL('http://127.0.0.1:8787/'), deployed)).toBe(false)
  })
})

describe('ourSource', () => {
  it('is true for the clips of the guides, and nothing else below them', () => {
    const file = (text: string) => ourSource(new URL(text), own) !== undefined
    expect(file('https://api.spool.example/docs/examples/talk.mp4')).toBe(true)
    expect(file('http://127.0.0.1:8787/docs/examples/talk.mp4')).toBe(true)
    expect(file('http://127.0.0.1:41001/docs/examples/talk.mp4')).toBe(false)
    expect(file('https://elsewhere.example/docs/examples/talk.mp4')).toBe(false)
    expect(file('https://api.spool.example/docs/examples/..%2f..%2fv1/videos')).toBe(false)
    expect(file('https://api.spool.example/docs/examples/%2e%2e/search.json')).toBe(false)
    expect(file('https://api.spool.example/docs/examples/')).toBe(false)
  })

  it('is true only for files, at the address that links begin with', () => {
    const file = (text: string) => ourSource(new URL(text), own) !== undefined
    expect(file('http://127.0.0.1:8787/files/t/x')).toBe(true)
    expect(file('http://192.168.1.5:8787/files/t/x')).toBe(true)
    expect(file('http://127.0.0.1:8787/files/../v1/videos')).toBe(false)
    expect(file('http://127.0.0.1:8787/cdn-cgi/local/r2/s3/b/k')).toBe(false)
    expect(file('http://127.0.0.1:41001/files/t/x')).toBe(false)
  })
})

it('the path of our own source is what follows the address of files, by any name of the machine', () => {
  const below = { ...own, files: 'http://127.0.0.1:8787/media' }
  const place = (text: string) => ourSource(new URL(text), below)
  const path = '/files/t/a.mp4?object=1'
  expect(place(`http://192.168.1.5:8787/media${path}`)).toEqual({ kind: 'file', path })
  expect(place(`http://127.0.0.1:8787${path}`)).toBeUndefined()
  const example = { kind: 'example', path: '/docs/examples/talk.mp4' }
  expect(place('http://localhost:8787/docs/examples/talk.mp4')).toEqual(example)
})

it('the settings of what is ours are refused when they name no port or no host', () => {
  expect(() => parseOwnPorts('8787,x')).toThrow('"x" is not a port')
  expect(() => parseOwnPorts('0')).toThrow('"0" is not a port')
  expect(() => parseOwnPorts('65536')).toThrow('"65536" is not a port')
  expect(() => parseOwnHosts('a b')).toThrow('"a b" is not a host')
  expect(parseOwnPorts(' ').size + parseOwnHosts('').size).toBe(0)
})
