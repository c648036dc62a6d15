import { serveWork } from '../../../containers/apart/serve-work.ts'
import { JobError } from '../../../containers/errors/job-error.ts'
import { untilAborted } from '../../../containers/errors/until-aborted.ts'
import type { Answered } from '../../../containers/models/model-thread.ts'

export type OddTask =
  | 'answer'
  | 'fail'
  | 'crash'
  | 'wait'
  | 'loop'
  | 'dawdle'
  | 'ask'
  | 'ask and crash'
  | { hoard: 'buffers' | 'wasm' | 'heap' }

/** The entry of a process whose tasks do what hostile files make a reader do. One set up as `slow to load` takes a second. */
serveWork<string, OddTask, string, unknown>((setup, { open, spentMs }) => {
  const loadedAt = performance.now() + (setup === 'slow to load' ? 1_000 : 0)
  while (performance.now() < loadedAt);
  const model = open<Answered & { doubled: number }>('doubler', new URL('file:///nowhere'))
  return async (task, { signal, tell, during, folder }) => {
    if (typeof task === 'object') {
      return during({ field: 'captions.font', doing: 'setting it' }, () => hoard(task.hoard))
    }
    switch (task) {
      case 'answer':
        tell('begun')
        return { pid: process.pid, setup, folder, cwd: process.cwd(), env: { ...process.env } }
      case 'fail':
        throw new JobError('element_unusable', 'captions: they cannot be read.')
      case 'crash':
        process.abort()
        break
      case 'wait':
        tell('begun')
        return untilAborted(new Promise(() => undefined), signal)
      case 'loop':
        return during({ field: 'captions.font', doing: 'setting it' }, () => {
          tell('begun')
          for (;;);
        })
      case 'dawdle':
        return during({ field: 'captions', doing: 'reading them', mostMs: 200 }, async () =>
          untilAborted(new Promise(() => undefined), signal),
        )
      case 'ask and crash':
        void model.ask(
          (id) => ({ id, number: 21 }),
          (id) => ({ id, type: 'cancel' }),
        )
        return process.exit(1)
      case 'ask': {
        const onShare = (share: number): void => tell(`${share} is done`)
        const asked = model.ask((id) => ({ id, number: 21 }), undefined, onShare)
        return { doubled: (await asked.answer).doubled, spentMs: spentMs() }
      }
    }
  }
})

/** `(module (memory (export "memory") 1))`; Node's types do not know WebAssembly. */
const memoryModule = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1],
  ...[7, 10, 1, 6, 109, 101, 109, 111, 114, 121, 2, 0],
])

type GrowingMemory = { grow(pages: number): number; readonly buffer: ArrayBuffer }
type Wasm = {
  instantiate(bytes: Uint8Array): Promise<{ instance: { exports: { memory: GrowingMemory } } }>
}

async function growingMemory(): Promise<GrowingMemory> {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm }
  return (await wasm.instantiate(memoryModule)).instance.exports.memory
}

/** Takes memory where the limit of the heap does not see it, and never gives it back. */
async function hoard(where: 'buffers' | 'wasm' | 'heap'): Promise<void> {
  const kept: unknown[] = []
  const memory = await growingMemory()
  for (;;) {
    if (where === 'buffers') kept.push(new Uint8Array(8_000_000).fill(1))
    else if (where === 'heap') kept.push(Array.from({ length: 100_000 }, (_, i) => ({ i })))
    else {
      memory.grow(128)
      new Uint8Array(memory.buffer).fill(1, -128 * 65_536 + memory.buffer.byteLength)
    }
    if (where !== 'heap') await new Promise((resolve) => setImmediate(resolve))
  }
}
