import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  hostFault,
  isAllowedHost,
  isPublicAddress,
  parseAllowedHosts,
} from '../../../worker/contract/addresses/public-url.ts'
import { seeded } from '../../support/node/seeded.ts'
import { words } from '../../support/node/words.ts'

const nothingAllowed = parseAllowedHosts('')
const privateFault = 'Must not lead to a private or local address'
const portFault = 'Must use port 80, 443, 8080 or 8443'

function faultOf(text: string, allowed = nothingAllowed): string | undefined {
  return hostFault(new URL(text), allowed)
}

function casesOf(lists: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(lists).flatMap(([kind, texts]) =>
    texts.map((text): [string, string] => [kind, text]),
  )
}

describe('isPublicAddress', () => {
  it.each(
    words(`
    1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 9.255.255.255 11.0.0.0
    126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 192.167.255.255 192.169.0.0
    198.17.255.255 198.20.0.0 192.0.1.0 192.0.3.0 223.255.255.255 203.0.114.0 198.51.101.0
    2606:4700:4700::1111 2a00:1450:4001::200e 2001:200::1 2001:4860:4860::8888 2001:db9::1
    ::ffff:1.1.1.1 ::ffff:808:808 3ffe::1 2003::1 2000:: 2606:4700:4700:0:0:0:0:1111
    2606:4700:4700::AbCd
  `),
  )('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true)
  })

  const refused = {
    'the IPv4 address': words(`
    0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 100.100.100.200
    127.0.0.1 127.255.255.255 169.254.169.254 169.254.170.2 168.63.129.16 172.16.0.0
    172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.0
    198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254
    255.255.255.255
    `),
    'the IPv6 address': words(`
    :: ::1 ::2 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1
    ::FFFF:192.168.1.1 0:0:0:0:0:ffff:7f00:1 ::ffff:0:127.0.0.1 ::ffff:0:808:808
    64:ff9b::1.1.1.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:ffff::1
    2001:db8::1 2001:1ff::1 3fff::1 3fff:fff::1 2002:7f00:1:: 2002:808:808:: 5f00::1 fc00::1
    fd00:ec2::254 fdff::1 fe80::1 febf::1 fec0::1 ff02::1 ffff::1 4000::1 1fff::1
    `),
    'as no address in plain spelling': [
      ...words(`
    localhost example.com 1.1.1 1.1 16843009 0x1.1.1.1 01.1.1.1 1.1.1.1. 1.1.1.256 1.1.1.1.1
    1.1.1.1:80 [2606:4700::1] 2606:4700::1%eth0 2606:4700 2606::4700::1 : ::: g::1
    ::ffff:0177.0.0.1 ::ffff:1.1.1 2606:4700:4700::11111 1:2:3:4:5:6:7:8:9
    2606:4700:4700::1111/64 １.1.1.1
    `),
      ...['', ' 1.1.1.1', '1.1.1.1 ', '1.1.1.1\n'],
    ],
  }

  it.each(casesOf(refused))('refuses %s %j', (_, text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})

describe('parseAllowedHosts', () => {
  it('allows nothing for an empty text', () => {
    expect([...parseAllowedHosts('')]).toEqual([])
    expect([...parseAllowedHosts(' , ')]).toEqual([])
  })

  it('trims entries, ignores case and keeps ports apart', () => {
    const allowed = parseAllowedHosts(
      ' LocalHost , 127.0.0.1:9000,[::1]:80 , [FD00:0::1], Bücher.de. ',
    )
    expect(isAllowedHost(allowed, 'localhost', 1)).toBe(true)
    expect(isAllowedHost(allowed, 'LOCALHOST.', 65_535)).toBe(true)
    expect(isAllowedHost(allowed, '127.0.0.1', 9000)).toBe(true)
    expect(isAllowedHost(allowed, '127.0.0.1', 9001)).toBe(false)
    expect(isAllowedHost(allowed, '[::1]', 80)).toBe(true)
    expect(isAllowedHost(allowed, '::1', 80)).toBe(true)
    expect(isAllowedHost(allowed, '::1', 81)).toBe(false)
    expect(isAllowedHost(allowed, 'fd00::1', 443)).toBe(true)
    expect(isAllowedHost(allowed, 'xn--bcher-kva.de', 443)).toBe(true)
  })

  it('does not take a name for its address, nor an ending for a name', () => {
    const allowed = parseAllowedHosts('localhost,example.com')
    expect(isAllowedHost(allowed, '127.0.0.1', 80)).toBe(false)
    expect(isAllowedHost(allowed, 'a.example.com', 80)).toBe(false)
    expect(isAllowedHost(allowed, 'example.com.evil.net', 80)).toBe(false)
    expect(isAllowedHost(allowed, 'not a host', 80)).toBe(false)
    expect(isAllowedHost(allowed, '', 80)).toBe(false)
  })

  it.each([
    ...words(`
    http://localhost localhost: localhost:0 localhost:65536 localhost:99999999 localhost:http
    user@host host/path ::1 ::1:80 [::1 [::1]80 [] * *.example.com 999.1.1.1 [fe80::1%eth0] ..
    :80 host:-1 a:1:2 %31
  `),
    'a b',
  ])('refuses %j by name', (entry) => {
    expect(() => parseAllowedHosts(`localhost,${entry}`)).toThrow(`"${entry}" is not a host`)
  })
})

describe('hostFault', () => {
  it.each([
    ...words(`
    https://example.com/a.mp4 http://example.com http://example.com:8080/
    https://example.com:8443/ https://example.com:80/ http://example.com:443/ https://8.8.8.8/
    https://[2606:4700:4700::1111]/ https://EXAMPLE.com./ https://my_bucket.s3.amazonaws.com/
    https://bücher.example/ https://пример.рф/ https://localhost.example.com/
    https://internal.example.com/ https://local.co/ https://127.0.0.1.nip.io/
    https://xn--e1afmkfd.net/ https://0x7f.example.com/ https://metadata.example.com/
  `),
    'http://example.com\\@127.0.0.1/',
  ])('accepts %s', (text) => {
    expect(faultOf(text)).toBeUndefined()
  })

  const spellings = {
    loopback: [
      ...words(`
    http://127.0.0.1/ http://localhost/ http://LOCALHOST./ http://[::1]/ http://[::]/ http://0/
    http://0.0.0.0/ http://localhost../ http://127.0.0.1./ http://127.0.0.1../
    http://a.localhost/ http://a.b.LocalHost./ http:127.0.0.1 http://localhost.localdomain/
    https:///localhost http://loc%61lhost/ http://lOcAlHoSt%2e/ http://127.0.0.1%2e/
    http://ｌｏｃａｌｈｏｓｔ/
    `),
      'http://127.0.0.1:80\\@example.com/',
    ],
    numeric: words(`
    http://2130706433/ http://0177.0.0.1/ http://0x7f000001/ http://127.1/
    http://0251.0376.0251.0376/ http://0xA9FEA9FE/ http://2852039166/ http://0x7f.1/
    http://017700000001/ http://0x7f.0x0.0x0.0x1/ http://127.0.1/ http://0x7f.1../
    http://0xa.1/ http://192.168.257/ http://0x0/ http://00000000177.1/ http://1/
    http://2130706433../ http://0x.1../ http://0x7f.0x../ http://0177.1.../ http://0xC0A80001/
    http://3232235521/
    `),
    Unicode: words(`
    http://①②⑦.⓪.⓪.①/ http://１２７.0.0.1/ http://127。0。0。1/ http://127．0．0．1/ http://127｡0｡0｡1/
    http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/ http://localhost。/ http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ http://０x7f.1/
    http://１６９.254.169.254/ http://ª.internal/
    `),
    IPv6: words(`
    http://[::ffff:127.0.0.1]/ http://[::ffff:a9fe:a9fe]/ http://[64:ff9b::a9fe:a9fe]/
    http://[2002:7f00:1::]/ http://[fe80::1]/ http://[fd00:ec2::254]/ http://[::127.0.0.1]/
    http://[0:0:0:0:0:ffff:7f00:1]/ http://[2001::1]/ http://[64:ff9b:1::1]/ http://[ff02::1]/
    http://[100::1]/ http://[2001:db8::1]/
    `),
    private: words(`
    http://169.254.169.254/ http://169.254.170.2/ http://100.100.100.200/
    http://168.63.129.16/machine http://0xa83f8110/ http://[::ffff:168.63.129.16]/
    http://metadata.google.internal/ http://metadata.google.internal./
    http://METADATA.google.INTERNAL/ http://metadata/ http://instance-data/
    http://instance-data.ec2.internal/ http://metadata.tencentyun.com./
    http://kubernetes.default.svc/ http://db.svc.cluster.local/ http://printer.local/
    http://host.docker.internal/ http://nas.home.arpa/ http://fritz.lan/ http://x.corp/
    http://intranet/ http://com/ http://ai./ http://redis/ http://ipv4only.arpa/
    `),
  }

  it.each(casesOf(spellings))('refuses the %s spelling %s', (_, text) => {
    expect(faultOf(text)).toBe(privateFault)
  })

  it.each([
    ...['http://example.com:22/', 'http://example.com:25/', 'http://example.com:6379/'],
    ...['http://example.com:5432/', 'https://example.com:0/', 'http://example.com:8787/'],
    ...['http://8.8.8.8:81/', 'http://[2606:4700::1]:65535/', 'http://example.com:08081/'],
  ])('refuses the port of %s', (text) => {
    expect(faultOf(text)).toBe(portFault)
  })

  it('exempts allowed hosts from the address, name and port rules', () => {
    const allowed = parseAllowedHosts('localhost,127.0.0.1:9000,intranet,[::1]')
    expect(faultOf('http://localhost:22/', allowed)).toBeUndefined()
    expect(faultOf('http://LOCALHOST.:22/', allowed)).toBeUndefined()
    expect(faultOf('http://127.0.0.1:9000/', allowed)).toBeUndefined()
    expect(faultOf('http://2130706433:9000/', allowed)).toBeUndefined()
    expect(faultOf('http://intranet/', allowed)).toBeUndefined()
    expect(faultOf('http://[0:0:0:0:0:0:0:1]:1234/', allowed)).toBeUndefined()
  })

  it('exempts nothing beside them', () => {
    const allowed = parseAllowedHosts('localhost,127.0.0.1:9000')
    expect(faultOf('http://127.0.0.1:9001/', allowed)).toBe(privateFault)
    expect(faultOf('http://127.0.0.1/', allowed)).toBe(privateFault)
    expect(faultOf('http://127.0.0.2:9000/', allowed)).toBe(privateFault)
    expect(faultOf('http://[::ffff:127.0.0.1]:9000/', allowed)).toBe(privateFault)
    expect(faultOf('http://a.localhost/', allowed)).toBe(privateFault)
    expect(faultOf('http://localhost.example.com:22/', allowed)).toBe(portFault)
  })

  it('takes the default port of the scheme for an entry with a port', () => {
    const allowed = parseAllowedHosts('127.0.0.1:80')
    expect(faultOf('http://127.0.0.1/', allowed)).toBeUndefined()
    expect(faultOf('https://127.0.0.1/', allowed)).toBe(privateFault)
  })

  it('judges every spelling of an IPv4 address as the address itself', () => {
    const blocks = [0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255]
    const first = fc.oneof(fc.constantFrom(...blocks), fc.nat(255))
    const address = fc.tuple(first, fc.nat(255), fc.nat(255), fc.nat(255))
    fc.assert(
      fc.property(address, ([a, b, c, d]) => {
        const value = ((a * 256 + b) * 256 + c) * 256 + d
        const ip = `${a}.${b}.${c}.${d}`
        const spellings = [
          ...[ip, `${ip}.`, `${ip}..`],
          ...[`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`],
          ...[`${a}.${value % 2 ** 24}`, `${a}.${b}.${c * 256 + d}`, `[::ffff:${ip}]`],
        ]
        const expected = isPublicAddress(ip) ? undefined : privateFault
        for (const host of spellings) expect(faultOf(`http://${host}/`)).toBe(expected)
      }),
      seeded(2000),
    )
  })
})
