import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { peaksOf } from '../../../scripts/demo/measure-sound.ts'
import { readDemoOptions } from '../../../scripts/demo/options.ts'

describe('readDemoOptions', () => {
  it('starts a service of its own unless it is given one', () => {
    expect(readDemoOptions([], {})).toEqual({
      out: path.resolve('.spool/demo'),
      service: undefined,
    })
    const args = ['--out', '/tmp/page', '--service', 'http://127.0.0.1:8787']
    expect(readDemoOptions(args, { SPOOL_API_KEY: 'spool_key' })).toEqual({
      out: '/tmp/page',
      service: { baseUrl: 'http://127.0.0.1:8787', apiKey: 'spool_key' },
    })
  })

  it('names what is wrong', () => {
    expect(() => readDemoOptions(['--service', 'http://a'], {})).toThrow('SPOOL_API_KEY')
    const env = { SPOOL_API_KEY: 'spool_key' }
    expect(() => readDemoOptions(['--service', 'a'], env)).toThrow(
      'is not an http or https address',
    )
    expect(() => readDemoOptions(['--ot', 'x'], {})).toThrow('--ot')
    expect(readDemoOptions(['--help'], {})).toMatchObject({
      help: expect.stringContaining('--out DIR') as string,
    })
  })
})

it('peaksOf finds the loudest sample of each part', () => {
  expect(peaksOf(new Float32Array([0, -0.5, 0.25, 0, 0, 2]), 3)).toEqual([0.5, 0.25, 1])
})
