import { describe, expect, it } from 'vitest'
import {
  captionUrl,
  elementUrl,
  mediaUrl,
  urlFault,
  webhookAddress,
} from '../../../worker/contract/options/media-url.ts'
import { words } from '../../support/node/words.ts'

const schemeFault = 'Must be an http:// or https:// address'
const characterFault = 'Must not contain spaces, control characters or backslashes'

describe('urlFault', () => {
  it.each(
    words(`
    http://example.com HTTPS://EXAMPLE.COM/A?b=c#d https://example.com/%20/%00 http://1
    https://example.com/@handle?to=a@b https://bücher.example/映像.mp4 https://example.com:8443/a https://[::1]/ http://a/🎬
  `),
  )('accepts the spelling %s', (text) => {
    expect(urlFault(text)).toBeUndefined()
  })

  const refused = {
    [schemeFault]: [
      ...words(`
    file:///etc/passwd ftp://example.com/a gopher://example.com/ data:video/mp4;base64,AA
    blob:https://example.com/x ws://example.com/ rtmp://example.com/ rtsp://example.com/
    concat:/a|/b subfile,,start,0,end,9,,:/etc/hostname pipe:0 //example.com/x x /x
    http:example.com http:/example.com javascript:alert(1) https: httpss://a/b
    view-source:https://example.com/ ｈttp://example.com/ -i http//example.com
  `),
      '',
    ],
    [characterFault]: [
      ...[' http://example.com', 'http://example.com ', 'http://exa mple.com', 'http://a/a b'],
      ...['ht\ttp://example.com', 'http://example.com/\n', 'http://example.com/\r\nHost: x'],
      ...['http://a/\0', 'http://a/\u007f', 'http://a/\u0085', 'http://a/\u00a0'],
      ...['http://a/\u2028', 'http://a/\ufeff', 'http:\\\\example.com'],
      ...['http://example.com\\@127.0.0.1/', 'http://127.0.0.1:80\\@a.com/'],
    ],
    'Is not a valid URL': [
      ...words(`
    http:// https://? http://[fe80::1%25eth0]/ http://[::1 http://example.com:65536/
    http://example.com:x/ http://1.2.3.256/ http://a%20b/ http://<a>/ http://a^b/ http://%00/
    http://999999999999/
  `),
      'http://a/\ud800',
    ],
    // The parsed form no longer shows some of them.
    'Must not contain a user name or password': words(`
    http://a:b@example.com/ http://a@example.com/ http://:b@example.com/ http://:@example.com/
    http://@example.com/ https://a:b@example.com/x
  `),
  }

  it.each(
    Object.entries(refused).flatMap(([fault, texts]) =>
      texts.map((text) => [text, fault] as const),
    ),
  )('refuses %j: %s', (text, fault) => {
    expect(urlFault(text)).toBe(fault)
  })
})

const paths = [
  '/home/ana/talk.mp4',
  './talk.mp4',
  '../a b.mov',
  '~/My Talk.mp4',
  'C:\\Videos\\talk.mp4',
  'd:/talk.mp4',
  '\\\\server\\talk.mp4',
  'file:///home/ana/talk.mp4',
  'talk.mp4',
  'My Talk.MOV',
]

describe('a path on the disk of the sender', () => {
  const faultOf = (schema: typeof mediaUrl, text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message)

  it.each(paths)('is told from a wrong address, such as %s', (path) => {
    expect(faultOf(mediaUrl, path)).toEqual([
      'Is a path on your own disk, where the service cannot read it; upload the file with POST /v1/uploads, and give its uploadId instead',
    ])
  })

  it('of an element is uploaded, and named by its upload', () => {
    expect(faultOf(elementUrl, 'logo.png')).toEqual([
      'Is a path on your own disk, where the service cannot read it; upload the file with POST /v1/uploads, and give upload:// and its uploadId instead',
    ])
  })

  it('of captions is put where it can be fetched', () => {
    expect(faultOf(captionUrl, 'talk.srt')).toEqual([
      'Is a path on your own disk, where the service cannot read it; put the file where it can be fetched, and give that address',
    ])
    expect(faultOf(captionUrl, 'upload://u_1')).toEqual(['Must be an http:// or https:// address'])
  })

  it.each(['//example.com/x', 'example.com/talk.mp4', 'concat:/a|/b', '', 'x', 'ftp://a/b.mp4'])(
    'is not what %j names',
    (text) => {
      expect(faultOf(mediaUrl, text)).toEqual([schemeFault])
    },
  )

  it('means nothing where webhooks are sent', () => {
    expect(faultOf(webhookAddress, '/hooks')).toEqual([schemeFault])
  })
})

it('mediaUrl leaves the text as it was sent', () => {
  expect(mediaUrl.parse('HTTP://EXAMPLE.com/../a')).toBe('HTTP://EXAMPLE.com/../a')
})
