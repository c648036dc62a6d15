import { plant, type Planted } from './planted.ts'

/** Faults in what is sent to the service and answered beside it, in what expires, and in what media workers are told. */
export const sentMutations: readonly Planted[] = [
  plant(
    'a row keeps files that have expired and others keep',
    ['worker/queue/sweep-objects.ts', 8],
    {
      find: '[...gone, ...files.filter(({ isShared }) => isShared)]',
      replace: '[...gone]',
    },
  ),
  plant(
    'a fault of the storage is called one of the work',
    ['worker/service/jobs/decide-attempt.ts', 2],
    {
      find: "reason === 'storage_failed' ? 'StorageError'",
      replace: "reason === 'worker_lost' ? 'StorageError'",
    },
  ),
  plant('pages may not read the answer to a part', ['worker/http/uploads/receive-part.ts', 4], {
    find: "    c.header('Access-Control-Allow-Origin', origin)\n",
  }),
  plant('pages may not read the tag of a part', ['worker/http/uploads/receive-part.ts', 4], {
    find: "    c.header('Access-Control-Expose-Headers', 'ETag, X-Request-Id')\n",
  }),
  plant('pages of every site may send parts', ['worker/contract/addresses/upload-address.ts', 4], {
    find: "return origins.has('*') || origins.has(origin)",
    replace: "return origins.has('*') || origin !== ''",
  }),
  plant('players do not hear that a file has parts', ['worker/http/serve/serve-file.ts', 22], {
    find: "    'Accept-Ranges': 'bytes',\n",
  }),
  plant('a file does not tell what it is', ['worker/http/serve/serve-file.ts', 22], {
    find: "'Content-Type': object.httpMetadata?.contentType ?? 'application/octet-stream'",
    replace: "'Content-Type': 'application/octet-stream'",
  }),
  plant('a field that comes twice is taken', ['worker/upload/form-fields.ts', 22], {
    find: 'if (this.#texts.has(name)) this.#twice.add(name)',
    replace: 'if (this.#texts.has(name)) return',
  }),
  plant('a form with two files is taken', ['worker/upload/form-fields.ts', 22], {
    find: '      if (this.#hasFile) {\n',
    replace: "      if (this.#hasFile && name === '') {\n",
  }),
  plant('an upload that is complete lacks parts', ['worker/upload/direct-upload.ts', 4], {
    find: "upload.status === 'open' ? missingParts(upload, received) : []",
    replace: "upload.status === 'open' ? missingParts(upload, received) : missingParts(upload, [])",
  }),
  plant('the name of a file has its folder', ['worker/upload/direct-upload.ts', 4], {
    find: "return fileName.split(/[/\\\\]/).at(-1) ?? ''",
    replace: 'return fileName',
  }),
  plant('the operator is told the jobs of all videos', ['worker/store/jobs/jobs.ts', 8], {
    find: 'page.videoId === undefined ? undefined : eq(jobs.videoId, page.videoId)',
    replace: 'undefined',
  }),
  plant('the operator is told the oldest jobs', ['worker/store/jobs/jobs.ts', 8], {
    find: 'sql`${videos}.rowid desc`',
    replace: 'sql`${videos}.rowid`',
  }),
  plant(
    'an endpoint that is off says that it is on',
    ['worker/http/webhooks/webhook-endpoints.ts', 22],
    {
      find: 'enabled: row.disabledAt === null',
      replace: 'enabled: true',
    },
  ),
  plant(
    'what an endpoint wants to hear is not changed',
    ['worker/http/webhooks/webhook-endpoints.ts', 22],
    {
      find: 'filter(([, value]) => value !== undefined)',
      replace: "filter(([name, value]) => value !== undefined && name !== 'eventTypes')",
    },
  ),
  plant(
    'a record does not tell the notes of its order',
    ['worker/service/videos/describe-video.ts', 1],
    {
      find: '...video.request, videoName: state.videoName, destinations }',
      replace: '...video.request, metadata: undefined, videoName: state.videoName, destinations }',
    },
  ),
  plant('new notes are not written', ['worker/store/videos/videos.ts', 1], {
    find: '...(metadata === undefined ? {} : { request }),',
    replace: '...(metadata !== undefined ? {} : { request }),',
  }),
  plant(
    'a job tells when it was ordered as when it began',
    ['worker/service/jobs/describe-job.ts', 13],
    {
      find: 'startedAt: timestampOrNull(job.startedAt)',
      replace: 'startedAt: timestampOrNull(job.createdAt)',
    },
  ),
  plant(
    'an attempt tells when it began as when it ended',
    ['worker/service/jobs/describe-job.ts', 13],
    {
      find: 'finishedAt: timestampOrNull(row.finishedAt)',
      replace: 'finishedAt: timestampOrNull(row.startedAt)',
    },
  ),
  plant(
    'a record tells when its source goes as when its files do',
    ['worker/service/videos/describe-video.ts', 13],
    {
      find: '{ filesExpireAt: timestamp(video.filesExpireAt) }',
      replace: '{ filesExpireAt: timestamp(video.sourceExpiresAt ?? 0) }',
    },
  ),
  plant(
    'a batch tells when it was canceled as when it ended',
    ['worker/service/batches/describe-batch.ts', 13],
    {
      find: 'canceledAt: timestamp(row.canceledAt)',
      replace: 'canceledAt: timestamp(row.createdAt)',
    },
  ),
  plant('a delivery does not tell its endpoint', ['worker/service/webhooks/deliveries.ts', 13], {
    find: 'endpointId: delivery.endpointId,',
    replace: 'endpointId: null,',
  }),
]
