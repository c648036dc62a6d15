/** Every published limit of a request, in one place; `docs/limits.md` lists them. */
export const limits = {
  files: 50,
  elements: 50,
  outputs: 12,
  destinations: 5,
  outputSide: 4096,
  /** Pictures a second of an output. */
  outputFps: 120,
  /** The most that `maxBytes` and `maxBitrate` of an output may be. */
  outputBytes: 100_000_000_000,
  outputBitrate: 500_000_000,
  /** Sizes of one stream, by its shorter side in pixels, and its pictures a second. */
  hlsHeights: 6,
  hlsHeight: 2160,
  hlsFps: 60,
  /** Up to where an output may begin or last; no film is longer. */
  outputSeconds: 360_000,
  /** How long and how large a GIF or a WebP may be; a video of the same pictures takes a tenth of the bytes. */
  movingSeconds: 60,
  movingSide: 1280,
  movingFps: 30,
  /** Pictures of one output in jpg or png. */
  stills: 20,
  /** The small pictures of a sprite: their sides, and how many there are at most. */
  spriteSide: 640,
  spritePictures: 1000,
  removeSegments: 200,
  reframeScenes: 200,
  /** How long both parts of a transition may be shown at once. */
  transitionSeconds: 5,
  phrases: 200,
  suggestedClips: 20,
  /** How long a suggested clip may be asked for. */
  clipSeconds: 300,
  aboutLength: 200,
  /** People whose voices are told apart, and the length of a name. */
  speakers: 10,
  speakerNameLength: 60,
  /** Names that a recogniser is to know, and how long each may be. */
  vocabulary: 100,
  vocabularyLength: 60,
  phraseLength: 1000,
  bleepWords: 200,
  bleepLength: 200,
  videoNameLength: 255,
  urlLength: 2048,
  commentLength: 1000,
  metadataBytes: 2048,
  elementPixels: 8192,
  elementPercent: 1000,
  textLength: 5000,
  captionTextLength: 200_000,
  captionWords: 5000,
  captionWordLength: 200,
  translations: 10,
  glossaryTerms: 200,
  glossaryLength: 100,
  volume: 10,
  duckDb: 60,
  jsonBodyBytes: 1_048_576,
  jsonDepth: 32,
  jsonValues: 50_000,
  reportedFaults: 100,
  reportedFaultChars: 16_384,
  listPageSize: 100,
  listPageSizeDefault: 25,
  listPageBytes: 1_048_576,
  idempotencyKeyLength: 255,
  formParts: 100,
  formTextBytes: 1_048_576,
  partHeaderBytes: 16_384,
} as const

/** Files that texts need beside the media. Also in `docs/limits.md`. */
export const textFileLimits = {
  fontBytes: 20_971_520,
  captionBytes: 2_097_152,
  /** A table of colours with 65 steps takes about 8 MB. */
  lutBytes: 16_777_216,
  /** Cues of an SRT or VTT file, or words of a list. */
  captionCues: 20_000,
  /** Longer cues fill the picture several times. */
  cueLength: 2000,
} as const

/** The slowest pace allowed for an upload or a source: this many bytes in each period. Also in `docs/limits.md`. */
export const arrivalPace = { bytes: 262_144, withinMs: 60_000 } as const

/** Limits on receiving uploads. Also in `docs/limits.md`. */
export const uploadLimits = {
  /** The buffers of all forms that one isolate receives at once, out of its 128 MB. */
  memoryBytes: 83_886_080,
  /** How long a form waits for its share of memory before the client is told to try again. */
  memoryPatienceMs: 10_000,
} as const

/** Limits on delivering webhooks. Also in `docs/limits.md`. */
export const webhookLimits = {
  /** The time limit of one attempt, including its answer. */
  attemptMs: 15_000,
  /** How much of an answer is read. */
  answerBytes: 65_536,
  /** How much of each answer, and how many attempts of each delivery, the log keeps. */
  loggedAnswerBytes: 1024,
  loggedAttempts: 20,
  /** Attempts at once for one endpoint, which is an account and a receiving origin. */
  inFlight: 4,
  /** How many deliveries wait in an endpoint's object. The rest waits in D1 until the sweep finds room for it. */
  waiting: 10_000,
} as const

/** Webhook endpoints of an account; listed there too. */
export const endpointsPerAccount = 10

/** Presets of an account, and the JSON of one of them. Also in `docs/limits.md`. */
export const presetLimits = { perAccount: 100, bytes: 32_768 } as const

/** What the templates of a preset, and the values that fill them, may be. Also in `docs/limits.md`. */
export const templateLimits = {
  names: 50,
  nameLength: 40,
  valueLength: 5000,
  /** The JSON of a request once its preset is filled in. */
  filledBytes: 524_288,
} as const

/** Videos that one request makes of a preset. Also in `docs/limits.md`. */
export const batchLimits = {
  items: 1000,
  bodyBytes: 4_194_304,
  /** The JSON of all its videos together, with their presets filled in. */
  requestBytes: 16_777_216,
  /** Finished uploads and earlier videos that it names as sources. */
  sources: 200,
  /** Items that count as one request in the limits of an API key. */
  itemsForEachRequest: 20,
} as const

/** Storages: buckets that accounts bring with them. Also in `docs/limits.md`. */
export const storageLimits = {
  perAccount: 20,
  /** The time limit of one request to a bucket, including its answer. */
  requestMs: 60_000,
  /** That of each request with which a storage is tried while somebody waits. */
  trialMs: 10_000,
  /** How much of an answer is read. */
  answerBytes: 65_536,
  /** A file that is larger is sent in parts of this size; each of them is in memory while it is sent. */
  partBytes: 8_388_608,
  /** How many files are sent at once in the memory that objects of the service share. */
  atOnce: 4,
  /** How much of an error of the bucket is told. */
  toldErrorChars: 300,
} as const

/** API keys of an account that are neither revoked nor expired; listed there too. */
export const keysPerAccount = 100

/** Limits on people who sign in; listed there too. Attempts that succeed do not count. */
export const signInLimits = {
  /** Wrong passwords. */
  passwords: {
    perPlace: { attempts: 10, windowMs: 900_000 },
    perNetwork: { attempts: 100, windowMs: 900_000 },
    perEmail: { attempts: 100, windowMs: 3_600_000 },
  },
  /** Links for a new password. */
  resets: {
    perPlace: { attempts: 5, windowMs: 3_600_000 },
    perNetwork: { attempts: 30, windowMs: 3_600_000 },
    perEmail: { attempts: 20, windowMs: 3_600_000 },
  },
  /** Where mails are sent, each sign-up sends one; where none is sent, only the limit of the network counts. */
  signUps: {
    perPlace: { attempts: 5, windowMs: 3_600_000 },
    perNetwork: { attempts: 60, windowMs: 3_600_000 },
    perEmail: { attempts: 20, windowMs: 3_600_000 },
  },
  invitationsPerAccount: { attempts: 50, windowMs: 86_400_000 },
} as const

/**
 * How often people may try what concerns an e-mail address. A place is a browser in which the owner of the address has
 * signed in before, or everything else in one network: a stranger elsewhere cannot use up its attempts.
 */
export type AddressLimits = Readonly<
  Record<'perPlace' | 'perNetwork' | 'perEmail', { attempts: number; windowMs: number }>
>

/** Invitations of an account that nobody has accepted yet; listed there too. */
export const invitationsPerAccount = 50
