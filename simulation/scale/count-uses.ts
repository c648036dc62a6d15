import type { Counts } from '../../bench/model/measured.ts'
import type { Exported } from '../engine/program.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Database } from '../platform/database.ts'
import type { Deployment } from '../platform/deployment.ts'

/** What is counted here of what the model counts; rows only the database itself can tell, and `rows-of-d1.ts` asks it. */
export const counted = [
  'workerRequests',
  'gateCalls',
  'runnerCalls',
  'dispatcherCalls',
  'endpointCalls',
  'databaseCalls',
  'statements',
  'bucketWrites',
  'bucketReads',
  'messages',
] as const satisfies readonly (keyof Counts)[]
export type Uses = Pick<Counts, (typeof counted)[number]>

/** Counts what Cloudflare charges for, at the bindings. */
export class UseCounter {
  #requests = 0
  #bucketWrites = 0
  #bucketReads = 0
  databaseCalls = 0

  /** The program, whose events are counted. */
  program(program: Exported): Exported {
    const { fetch, queue, scheduled } = program.default
    const count = () => void this.#requests++
    return {
      ...program,
      default: {
        fetch: async (...given) => (count(), fetch(...given)),
        queue: async (...given) => (count(), queue(...given)),
        scheduled: async (...given) => (count(), scheduled(...given)),
      },
    }
  }

  /** The bucket, by the classes of R2: deleting and aborting cost nothing. */
  bucket({ binding }: Bucket): Pick<Bucket, 'binding'> {
    const { put, list, get, head, createMultipartUpload, resumeMultipartUpload } = binding
    const write = () => void this.#bucketWrites++
    const read = () => void this.#bucketReads++
    const upload = (made: Awaited<ReturnType<typeof createMultipartUpload>>) => ({
      ...made,
      uploadPart: async (...given: Parameters<typeof made.uploadPart>) => (
        write(),
        made.uploadPart(...given)
      ),
      complete: async (...given: Parameters<typeof made.complete>) => (
        write(),
        made.complete(...given)
      ),
    })
    return {
      binding: {
        ...binding,
        put: async (...given) => (write(), put(...given)),
        list: async (...given) => (write(), list(...given)),
        get: async (...given) => (read(), get(...given)),
        head: async (...given) => (read(), head(...given)),
        createMultipartUpload: async (...given) => (
          write(),
          upload(await createMultipartUpload(...given))
        ),
        resumeMultipartUpload: (...given) => upload(resumeMultipartUpload(...given)),
      },
    }
  }

  /** A part that came to its signed address, past the Worker. */
  partStored(): void {
    this.#bucketWrites++
  }

  uses({ database, deployment }: { database: Database; deployment: Deployment }): Uses {
    const { KEY_GATE, JOB_RUNNER, DISPATCHER, WEBHOOK_ENDPOINT } = deployment.objects
    return {
      workerRequests: this.#requests,
      gateCalls: KEY_GATE.calls,
      runnerCalls: JOB_RUNNER.calls,
      dispatcherCalls: DISPATCHER.calls,
      endpointCalls: WEBHOOK_ENDPOINT.calls,
      databaseCalls: this.databaseCalls,
      statements: database.statements,
      bucketWrites: this.#bucketWrites,
      bucketReads: this.#bucketReads,
      messages: deployment.sentMessages,
    }
  }
}
