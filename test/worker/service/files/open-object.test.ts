import { describe, expect, it, vi } from 'vitest'
import { openObject } from '../../../../worker/service/files/open-object.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'

const text = 'abcdefghijklmnopqrstuvwxyz'
const whole = { offset: 0, length: text.length }

async function anObject(): Promise<string> {
  const key = crypto.randomUUID()
  await bindings.BUCKET.put(key, text)
  return key
}

describe('openObject', () => {
  it('sends a long part in pieces that fit together', async () => {
    const key = await anObject()
    const get = vi.spyOn(prototypeOf(bindings.BUCKET), 'get')
    for (const pieceBytes of [1, 4, 13, 25, 26, 27]) {
      get.mockClear()
      const opened = await openObject(bindings.BUCKET, key, whole, pieceBytes)
      expect(await new Response(opened?.body).text()).toBe(text)
      expect(get).toHaveBeenCalledTimes(Math.ceil(26 / pieceBytes))
    }
    const inner = await openObject(bindings.BUCKET, key, { offset: 3, length: 10 }, 4)
    expect(await new Response(inner?.body).text()).toBe('defghijklm')
  })

  it('breaks off a download when the object is deleted', async () => {
    const key = await anObject()
    const opened = await openObject(bindings.BUCKET, key, whole, 4)
    const reader = opened?.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
    const first = await reader.read()
    expect(new TextDecoder().decode(first.value)).toBe('abcd')
    await bindings.BUCKET.delete(key)
    const readOn = async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read());
    }
    await expect(readOn()).rejects.toThrow('deleted while it was sent')
  })

  it('opens an object without bytes, and none that is gone', async () => {
    const key = await anObject()
    await bindings.BUCKET.put(key, '')
    const empty = await openObject(bindings.BUCKET, key, { offset: 0, length: 0 })
    expect(await new Response(empty?.body).text()).toBe('')
    await bindings.BUCKET.delete(key)
    expect(await openObject(bindings.BUCKET, key, whole)).toBeUndefined()
  })
})
