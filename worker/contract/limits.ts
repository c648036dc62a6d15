/** Every published limit of a request, in one place; `docs/limits.md` lists them. */
export const limits = {
  files: 50,
  elements: 50,
  removeSegments: 200,
  videoNameLength: 255,
  urlLength: 2048,
  commentLength: 1000,
  metadataBytes: 2048,
  elementPixels: 8192,
  elementPercent: 1000,
  volume: 10,
  jsonBodyBytes: 1_048_576,
  jsonDepth: 32,
  jsonValues: 50_000,
  reportedFaults: 100,
  reportedFaultChars: 16_384,
  listPageSize: 100,
  listPageSizeDefault: 25,
  listPageBytes: 4_194_304,
  idempotencyKeyLength: 255,
  formParts: 100,
  formTextBytes: 1_048_576,
  partHeaderBytes: 16_384,
} as const

/** How slowly the bytes of an upload, or of a source, may come: this many in each stretch of time; listed there too. */
export const arrivalPace = { bytes: 262_144, withinMs: 60_000 } as const

/** What the arrival of uploads is held to; listed there too. */
export const uploadLimits = {
  /** What the buffers of all forms that arrive in one isolate hold together, of the 128 MB it has. */
  memoryBytes: 83_886_080,
  /** So long a form waits for its share before it is told to come again. */
  memoryPatienceMs: 10_000,
} as const

/** What the delivery of webhooks is held to; listed there too. */
export const webhookLimits = {
  /** One attempt has this long, its answer included. */
  attemptMs: 15_000,
  /** More of an answer is not read. */
  answerBytes: 65_536,
  /** The log keeps so much of each answer, and so many attempts of a delivery. */
  loggedAnswerBytes: 1024,
  loggedAttempts: 20,
  /** Of one endpoint: an account and a receiving origin. */
  inFlight: 4,
  /** Beyond this D1 keeps the rest, and the sweep brings it when there is room. */
  waiting: 10_000,
} as const

/** API keys of an account that are neither revoked nor expired; listed there too. */
export const keysPerAccount = 100

/** Speech is transcribed for outputs of at most this length; longer ones lose the transcript. */
export const maxTranscriptionSeconds = 600
