import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError } from '../../../../client/src/errors.ts'
import {
  Upload,
  waitAfter,
  type UploadPorts,
  type KnownUpload,
  type UploadState,
  UploadPace,
} from '../../../../worker/app/scripts/new-video/upload/upload.ts'
import { judgeFile } from '../../../../worker/app/scripts/new-video/upload/judge-file.ts'
import {
  printOf,
  RememberedUpload,
} from '../../../../worker/app/scripts/new-video/upload/remembered-upload.ts'

function refused(status: number, message = '', retryAfterSeconds?: number): ApiError {
  const facts = { status, code: 'Unrecognized', requestId: undefined } as const
  return new ApiError(message, { ...facts, faults: [], retryAfterSeconds })
}

const file = new File(['aaaabbbbcc'], 'talk.mp4', { lastModified: 7 })

/** A service that keeps the parts it gets; `cut` breaks the sending of a part. */
class Service {
  readonly arrived = new Map<number, string>()
  readonly sentParts: number[] = []
  readonly waits: number[] = []
  status: KnownUpload['status'] = 'open'
  opened = 0
  cut: (partNumber: number) => Error | undefined = () => undefined
  refusal: Error | undefined
  online = true
  #time = 0

  get record(): KnownUpload {
    const missing = [1, 2, 3].filter((number) => !this.arrived.has(number))
    const parts = missing.map((partNumber) => ({ partNumber, url: `http://spool/${partNumber}` }))
    return { uploadId: `u_${this.opened}`, partSize: 4, parts, status: this.status }
  }

  readonly ports: UploadPorts = {
    open: async () => {
      this.opened++
      this.arrived.clear()
      this.status = 'open'
      return this.record
    },
    read: async (uploadId) => {
      if (uploadId !== `u_${this.opened}`) throw refused(404)
      return this.record
    },
    complete: async () => {
      if (this.refusal) throw this.refusal
      if (this.arrived.size < 3) throw new Error('Parts are missing')
    },
    sendPart: async (url, { body }, onSent) => {
      const number = Number(url.split('/').at(-1))
      this.sentParts.push(number)
      this.#time += 1000
      onSent(1)
      const error = this.cut(number)
      if (error) throw error
      this.arrived.set(number, await (body as Blob).text())
      return new Response()
    },
    wait: async (ms) => {
      this.waits.push(ms)
      this.online = true
    },
    isOnline: () => this.online,
    now: () => this.#time,
  }
}

function watched(service: Service) {
  const phases: UploadState['phase'][] = []
  const upload = new Upload(file, service.ports, ({ state }) => {
    if (phases.at(-1) !== state.phase) phases.push(state.phase)
  })
  return { upload, phases }
}

describe('Upload', () => {
  it('sends every part once, and ends with the id of the upload', async () => {
    const service = new Service()
    const { upload, phases } = watched(service)
    await upload.run()
    expect([...service.arrived].toSorted()).toEqual([
      [1, 'aaaa'],
      [2, 'bbbb'],
      [3, 'cc'],
    ])
    expect(phases).toEqual(['opening', 'sending', 'checking', 'ready'])
    expect(upload.state).toEqual({ phase: 'ready', uploadId: 'u_1' })
  })

  it('goes on by itself after the network was cut, with what is missing', async () => {
    const service = new Service()
    let cuts = 2
    service.cut = (number) => (number === 2 && cuts-- > 0 ? new TypeError('cut') : undefined)
    const { upload, phases } = watched(service)
    await upload.run()
    expect(upload.state.phase).toBe('ready')
    expect(phases).toContain('waiting')
    expect(service.waits).toHaveLength(2)
    expect(service.opened).toBe(1)
    expect(service.arrived.size).toBe(3)
    expect(service.sentParts.filter((number) => number === 1)).toHaveLength(1)
  })

  it('begins again if the upload is gone or has become a video', async () => {
    const gone = new Service()
    const first = watched(gone).upload
    first.uploadId = 'u_9'
    await first.run()
    expect(first.state).toEqual({ phase: 'ready', uploadId: 'u_1' })
    const used = new Service()
    await used.ports.open(file, new AbortController().signal)
    used.status = 'used'
    const second = watched(used).upload
    second.uploadId = 'u_1'
    await second.run()
    expect(second.state).toEqual({ phase: 'ready', uploadId: 'u_2' })
  })

  it('stops when it is paused, and goes on from there', async () => {
    const service = new Service()
    const { upload } = watched(service)
    service.cut = (number) => {
      if (number !== 3) return undefined
      upload.pause()
      return new TypeError('aborted')
    }
    await upload.run()
    expect(upload.state.phase).toBe('paused')
    service.cut = () => undefined
    await upload.run()
    expect(upload.state.phase).toBe('ready')
    expect(service.opened).toBe(1)
  })

  it('says that a file is not a video in words of the page, and does not try again', async () => {
    const service = new Service()
    service.refusal = refused(422, 'file: Its bytes are MKV, which is not supported.')
    const { upload } = watched(service)
    await upload.run()
    expect(upload.state).toEqual({
      phase: 'failed',
      message:
        '“talk.mp4” is not a video that can be used here. Choose one of these: MP4, MOV, AVI, WebM, MKV, MPEG-TS, FLV, 3GP, MPG or OGV, or sound as MP3, M4A, WAV, FLAC, OGG or Opus.',
      canBeTriedAgain: false,
    })
    expect(service.waits).toEqual([])
  })

  it('can be tried again once somebody who was signed out is signed in', async () => {
    const service = new Service()
    service.refusal = refused(401)
    const { upload } = watched(service)
    await upload.run()
    expect(upload.state).toMatchObject({ phase: 'failed', canBeTriedAgain: true })
    service.refusal = undefined
    await upload.run()
    expect(upload.state.phase).toBe('ready')
    expect(service.sentParts).toHaveLength(3)
  })

  it('ends when the file is gone from the disk instead of waiting for the network', async () => {
    const service = new Service()
    const moved = new File(['aaaabbbbcc'], 'talk.mp4')
    moved.slice = () => {
      const part = new Blob(['aaaa'])
      part.arrayBuffer = async () => Promise.reject(new DOMException('gone', 'NotReadableError'))
      return part
    }
    service.cut = () => new TypeError('cut')
    const upload = new Upload(moved, service.ports, () => undefined)
    await upload.run()
    expect(upload.state).toEqual({
      phase: 'failed',
      message:
        '“talk.mp4” cannot be read. It may be a folder, or it was moved or changed. Choose the file again.',
      canBeTriedAgain: false,
    })
  })
})

describe('judgeFile', () => {
  const judge = async (bytes: string, most = 100) => judgeFile(new File([bytes], 'talk.mp4'), most)

  it.each([
    ['an MP4', '\0\0\0\x18ftypisom\0\0\0\0'],
    ['a QuickTime film without ftyp', '\0\0\0\x08wide\0\0\0\0mdat'],
    ['an AVI', 'RIFF\0\0\0\0AVI LIST'],
  ])('takes %s', async (_, bytes) => {
    expect(await judge(bytes)).toBeUndefined()
  })

  it('says in one sentence what is wrong with a file', async () => {
    expect(await judge('')).toBe('“talk.mp4” is empty.')
    expect(await judge('\0\0\0\x18ftypisom'.padEnd(3000), 2000)).toBe(
      '“talk.mp4” is too large: it has 3 kB, and a file may have at most 2 kB.',
    )
    expect(await judge('Dear Ana,')).toBe(
      '“talk.mp4” is not a video that can be used here. Choose one of these: MP4, MOV, AVI, WebM, MKV, MPEG-TS, FLV, 3GP, MPG or OGV, or sound as MP3, M4A, WAV, FLAC, OGG or Opus.',
    )
  })
})

it('waitAfter waits longer each time, as long as the service says, and not at all where it cannot help', () => {
  const cut = new ConnectionError('cut')
  expect([1, 2, 3, 9].map((failures) => waitAfter(cut, failures))).toEqual([
    1000, 2000, 4000, 30_000,
  ])
  expect(waitAfter(refused(429, '', 20), 1)).toBe(20_000)
  expect(waitAfter(refused(503), 2)).toBe(2000)
  // The same file is being looked at already, or it cannot be used at all.
  expect(waitAfter(refused(409, '', 2), 1)).toBe(2000)
  expect(waitAfter(refused(409), 1)).toBeUndefined()
  expect(waitAfter(refused(413), 1)).toBeUndefined()
  expect(waitAfter(refused(403), 1)).toBe(0)
  expect(waitAfter(refused(403), 4)).toBeUndefined()
})

it('UploadPace tells speed and time left from the last seconds only', () => {
  const pace = new UploadPace()
  pace.note(0, 0)
  expect(pace.secondsFor(100)).toBeUndefined()
  for (let second = 1; second <= 20; second++) {
    pace.note(second <= 10 ? second * 1000 : 10_000 + (second - 10) * 100, second * 1000)
  }
  expect(pace.bytesPerSecond).toBe(100)
  expect(pace.secondsFor(500)).toBe(5)
  pace.forget()
  expect(pace.bytesPerSecond).toBeUndefined()
})

describe('RememberedUpload', () => {
  const kept = { uploadId: 'u_1', fileName: 'talk.mp4', print: printOf(file), sentPercent: 40 }

  function place(broken = false) {
    const items = new Map<string, string>()
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (broken) throw new Error('QuotaExceededError')
        items.set(key, value)
      },
      removeItem: (key: string) => void items.delete(key),
    }
  }

  it('remembers the upload of one account until it is forgotten', () => {
    const storage = place()
    const memory = new RememberedUpload(storage, 'a_1')
    memory.keep(kept)
    expect(memory.read()).toEqual(kept)
    expect(new RememberedUpload(storage, 'a_2').read()).toBeUndefined()
    memory.forget()
    expect(memory.read()).toBeUndefined()
  })

  it('survives a browser that keeps nothing, and what others have left there', () => {
    const full = new RememberedUpload(place(true), 'a_1')
    full.keep(kept)
    expect(full.read()).toBeUndefined()
    const storage = place()
    for (const text of ['{', 'null', '[]', '{"uploadId": 1}']) {
      storage.setItem('spool.upload.a_1', text)
      expect(new RememberedUpload(storage, 'a_1').read()).toBeUndefined()
    }
  })
})
