// Written by `npm run client` from the description of the API. Do not edit it.

export type VideoAccepted = {
  /** Names a video: v_ and 8 letters or digits. */
  videoId: string
  /** Names a job: j_ and letters or digits. */
  jobId: string
  status: 'queued'
  /** For people. */
  message: string
}

export type Video = VideoOptions &
  EditOptions &
  VideoSources & {
    /** Names a video: v_ and 8 letters or digits. */
    videoId: string
    /** The job that makes it; GET /v1/jobs/{jobId} has its attempts. */
    jobId: string
    videoName: string
    /** The last three are final. */
    status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
    /** 100 only once succeeded. From 0 to 100. */
    progressPercent: number
    /** What is being done, while running. */
    phase?: 'fetching' | 'measuring' | 'transcribing' | 'rendering' | 'uploading' | undefined
    /** While queued: its place in the line for a free media worker; 1 is next. */
    queuePosition?: number | undefined
    /** While queued: about when it begins, told from the running videos and from how long the last ones took. */
    estimatedStartAt?: string | undefined
    /** Since the work has begun; once it has ended, how long it took. */
    secondsElapsed?: number | undefined
    /** About how many seconds from now on it will be done, while queued or running; told from the pace of its work and from how long past videos took. */
    secondsLeft?: number | undefined
    /** While that is uncertain: between how many seconds it most likely is. */
    secondsLeftRange?: { least: number; most: number } | undefined
    /** A transcript exists or may still come; false once it has failed or was dropped. */
    hasTranscript: boolean
    transcript?: TranscriptState | undefined
    analysis?: AnalysisState | undefined
    /** The batch that it was created with, if it was. */
    batchId?: string | undefined
    createdAt: string
    lastUpdatedAt: string
    /** The finished video, once succeeded. */
    finalVideoUrl?: string | undefined
    /** The still, when one was asked for. */
    thumbnailUrl?: string | undefined
    /** Why the video failed, stable for programs. */
    reason?: FailureReason | undefined
    /** Why the video, or only its transcript, failed. */
    errorMessage?: string | undefined
    /** Properties of the finished video; absent with analyzeOnly, which makes none. */
    videoMetadata?: VideoMetadata | undefined
    /** The video whose result this is, if it was not made again, even if that is deleted by now; see `reuse`. */
    reusedFrom?: string | undefined
    /** Seconds of the sources that are not in the finished video, once succeeded. */
    removed?:
      | {
          /** Removed by removeSegments, of the request and of single files, as far as they lie in the video. */
          segmentsSeconds: number
          /** Removed because of words or speakers from what removeSegments had left. */
          textSeconds?: number | undefined
          /** Removed by removeFillers from what these had left. */
          fillersSeconds?: number | undefined
          /** Removed by removeSilence from what all others had left. */
          silenceSeconds: number
        }
      | undefined
    /** What could be cut, in order, once a job with analyzeOnly has succeeded. */
    suggestions?: Array<Suggestion> | undefined
    /** What suggestClips and chapters found in what is said; in seconds of the finished video, or with analyzeOnly as keepSegments counts. */
    moments?:
      | {
          /** In order. */
          clips?: Array<SuggestedClip> | undefined
          /** In order; each ends where the next begins. */
          chapters?: Array<Chapter> | undefined
        }
      | undefined
    /** What bleep and blurFaces covered; in seconds of the finished video, or with analyzeOnly as removeSegments counts. */
    covered?:
      | {
          /** How many times something of `bleep` is said and covered. */
          words?: number | undefined
          /** Where, in order; the first 200 of them. */
          places?:
            | Array<{
                /** Second at which it begins. */
                startTime: number
                /** Second at which it ends. */
                endTime: number
                /** The entry of `bleep` that is said there, from 0. */
                phrase: number
              }>
            | undefined
          /** What blurFaces covered. */
          faces?:
            | {
                /** How many faces were followed; one that was lost counts again. */
                tracks: number
                /** Seconds of the sources in which some face is covered. */
                seconds: number
                /** Of these, where a face was not found but must be, before and after it was found and in between. */
                uncertainSeconds: number
              }
            | undefined
        }
      | undefined
    /** What resizeMode follow shows, scene by scene; of the first result that follows. */
    reframed?:
      | {
          /** In order, the first of them. */
          scenes: Array<ShownScene>
          /** How many there are in all. */
          count: number
        }
      | undefined
    /** Captions in other languages, with the times of those of the video. */
    translations?:
      | Array<{
          /** As in captions.translateTo. */
          language: string
          /** As WebVTT. */
          vttUrl?: string | undefined
          /** As SubRip. */
          srtUrl?: string | undefined
        }>
      | undefined
    /** What was requested and could not be done exactly as requested. */
    warnings?: Array<string> | undefined
    /** The worst of all checks of its films; `failed` only if that is why the video failed. */
    checked?: 'passed' | 'warned' | 'failed' | undefined
    /** What was found in the finished video, also in one that is not kept because of it. */
    checks?: Array<ShownCheck> | undefined
    /** Read the record again for fresh links. */
    linksExpireAt?: string | undefined
    /** After this the files are gone. */
    filesExpireAt?: string | undefined
    /** Until then its uploaded file can be used again, as `sourceVideoId`. */
    sourceExpiresAt?: string | undefined
    /** Suggest parts worth a clip, in `moments`. */
    suggestClips?: AppliedSuggestClips | undefined
    /** What resizeMode follow shows in stretches of the source, in place of what it finds. */
    reframe?: AppliedReframe | undefined
    /** Seconds to take off both ends. */
    trim?: AppliedTrim | undefined
    /** How the parts around each cut lead into each other, whatever the cut is made by. */
    cutTransition?: AppliedTransition | undefined
    /** A fade of the film from a colour at its start. */
    fadeIn?: AppliedFilmFade | undefined
    /** A fade of the film to a colour at its end. */
    fadeOut?: AppliedFilmFade | undefined
    /** Each output that was asked for, with its file once succeeded, and suggested clips. */
    outputs?: Array<VideoOutput> | undefined
    /** What becomes of each result at each destination of the request. */
    destinations?:
      | Array<{
          storage: string
          /** The key below the prefix of the storage; of several files, that of the first one. */
          key: string
          /** The output; `video` if the request names none. */
          output: string
          state: 'pending' | 'delivered' | 'failed'
          /** Why it failed, or why it has not succeeded yet. */
          reason?: string | undefined
        }>
      | undefined
  }

export type VideoPage = {
  /** Newest first. */
  data: Array<Video>
  /** Whether these are the archived videos of the account, or all others. */
  archived: boolean
  /** Pass it as cursor to read the next page; null on the last page. */
  nextCursor: string | null
}

export type VideoPlan = {
  /** What would be done, in this order, for people. */
  steps: Array<string>
  request: VideoOptions &
    VideoSources & {
      /** Name of the video; that of the file when absent. */
      videoName?: string | undefined
      /** Buckets of yours, saved as storages, that the results are delivered to. */
      destinations?:
        | Array<{
            /** A storage of your account. */
            storage: string
            /** Where the file goes below the prefix of the storage, with {videoId}, {videoName}, {name} (of the output; `video` without outputs), {extension} and {date}. */
            key: string
            /** Only these; all of them when absent. */
            outputs?: Array<string> | undefined
            /** false: the file is removed from the service once all of its deliveries are made. */
            keep: boolean
          }>
        | undefined
      /** Fails at its start if the work would take more seconds. */
      maxSeconds?: number | undefined
      /** The same for the price that a plan tells. */
      maxPrice?: number | undefined
      /** Make no video: answer the transcript, and suggestions of what to cut. */
      analyzeOnly: boolean
      /** Join all files into one video; required with files. */
      combine: boolean
      /** Cut pauses, keeping a little padding around speech. */
      removeSilence: boolean
      /** Bring the loudness to -16 LUFS, or to a target of your own. */
      normalizeAudio: boolean | LoudnessTarget
      /** Reduce background noise; music is kept. */
      removeNoise: boolean
      /** Transcribe the speech of the finished video. */
      enableTranscription: boolean
      /** Suggest parts worth a clip, in `moments`. */
      suggestClips?: AppliedSuggestClips | undefined
      /** Find tags, a summary and a likely location. */
      enableAiAnalysis: boolean
      /** Make a JPEG still of the finished video. */
      enableThumbnail: boolean
      /** Container of the result. */
      outputFormat: 'mp4' | 'mov' | 'avi' | 'webm'
      /** 1 makes the smallest file, 100 keeps the quality of the original. From 1 to 100. */
      compressionQuality: number
      /** Render a long film in parts, by all media workers that are free. The result is the same. */
      split: boolean
      /** Hold a shaky picture still. */
      stabilize: boolean
      /** Degrees clockwise by which the picture is turned, before it is shaped. */
      rotate: 0 | 90 | 180 | 270
      /** Shape of the result. */
      aspectRatio: 'original' | '16:9' | '9:16' | '1:1' | '4:5' | '4:3' | '21:9'
      /** How the picture fits another shape: cover crops it, contain adds bars, stretch distorts it, follow crops it around the faces of each shot. */
      resizeMode: 'cover' | 'contain' | 'stretch' | 'follow'
      /** What resizeMode follow shows in stretches of the source, in place of what it finds. */
      reframe?: AppliedReframe | undefined
      /** Colour of the bars; blur fills them with the blurred picture itself. */
      backgroundColor: string
      /** Seconds to take off both ends. */
      trim?: AppliedTrim | undefined
      /** Cut um, uh and er, and starts that are said again. */
      removeFillers: boolean
      /** How the parts around each cut lead into each other, whatever the cut is made by. */
      cutTransition?: AppliedTransition | undefined
      /** A fade of the film from a colour at its start. */
      fadeIn?: AppliedFilmFade | undefined
      /** A fade of the film to a colour at its end. */
      fadeOut?: AppliedFilmFade | undefined
      /** Several results of one edit, each with what differs from the request; finalVideoUrl is the first video. */
      outputs?: Array<Output> | undefined
    }
}

export type Plan = {
  /** What would be done, in this order, for people. */
  steps: Array<string>
  /** What would come of it, line by line, for people: what the other fields say. */
  summary: Array<string>
  sources: Array<ForeseenSource>
  results: Array<ForeseenResult>
  /** The warnings that the video would have. */
  warnings: Array<string>
  /** What shows only while the work is done, and why; the ranges allow for it. */
  unknown: Array<string>
  /** How the video would fail; null: as far as is known it would not. */
  refusal: { reason: FailureReason; message: string } | null
  /** Seconds that the work takes, once it has begun. */
  seconds: Likely
  /** Seconds of one processor. */
  cpuSeconds: Likely
  /** The video whose result would be the answer, so that nothing is made; null: none. */
  reusedFrom: string | null
  /** Whether an earlier video has heard the words of these sources, which are kept. */
  wordsKept: boolean
  /** Seconds until the work begins; null: nothing tells yet. */
  startsIn: Likely | null
  /** For the processor and for what the results take, by PRICE_PER_CPU_SECOND and PRICE_PER_GB; in US dollars unless the operator says otherwise. */
  price: Likely
}

export type Check = CheckResult & {
  still?: 'check-1' | 'check-2' | 'check-3' | 'check-4' | 'check-5' | 'check-6' | undefined
}

export type ForeseenSource = {
  /** Where the request names it. */
  field: string
  format: string
  sizeInBytes: number
  /** Seconds. */
  duration: number
  /** Pixels, upright; absent from a sound. */
  width?: number | undefined
  height?: number | undefined
  /** Frames per second. */
  fps?: number | undefined
  videoCodec?: string | undefined
  /** null: it has no sound. */
  audioCodec: string | null
}

export type ForeseenResult = {
  /** Of the output, if the request names several. */
  name?: string | undefined
  format: string
  /** encoded, copied, or copied but for 3 seams; null: it has no picture. */
  picture: string | null
  /** Why its pictures are encoded; null for copies, stills and streams, which have no other way. */
  whyEncoded: string | null
  sound: 'copied' | 'encoded' | 'none'
  /** Pixels. */
  width?: number | undefined
  height?: number | undefined
  /** Seconds. */
  duration: Likely
  sizeInBytes: Likely
}

export type Likely = { likely: number; least: number; most: number }

export type VideoMetadata = {
  /** Pixels. */
  width: number
  /** Pixels. */
  height: number
  /** Seconds. */
  duration: number
  /** Frames per second. */
  fps: number
  sizeInBytes: number
}

export type VideoOutput = OutputOptions & {
  /** Second of the finished video at which it begins. From 0 to 360000. */
  startTime?: number | undefined
  /** Seconds. */
  duration?: number | undefined
  /** Seconds that jpg and png show, each in a file; 0 when absent. */
  times?: Array<number> | undefined
  /** Seconds between pictures of a sprite; 100 pictures when absent. From 0.1 to 360000. */
  interval?: number | undefined
  /** Of a suggested clip: a sentence of it. */
  title?: string | undefined
  /** The file, once succeeded; needs no key. */
  url?: string | undefined
  /** mp4, mp3 and so on. */
  format?: string | undefined
  /** Of all its files together. */
  bytes?: number | undefined
  /** Its further files, if it consists of several; they lie beside url by these names. */
  files?: Array<{ file: string; url?: string | undefined; bytes: number }> | undefined
  /** What could not be done exactly as asked for this output. */
  warnings?: Array<string> | undefined
  /** What was found in it before it was stored. */
  checks?: Array<ShownCheck> | undefined
}

export type Suggestion = {
  /** Second at which the part begins, as removeSegments counts. */
  startTime: number
  /** Second at which it ends. */
  endTime: number
  /** Nobody speaks; a word such as um; or a start that is said again. */
  why: 'silence' | 'filler' | 'repeated_start'
  /** What is said there; absent for a silence. */
  text?: string | undefined
}

export type SuggestedClip = {
  /** Second at which it begins, in a pause before a sentence. */
  startTime: number
  /** Second at which it ends, in a pause after a sentence. */
  endTime: number
  /** A sentence of it, or its beginning. */
  title: string
  /** How much is to be said for it, from 0 to 1. From 0 to 1. */
  score: number
  /** Why, for people. */
  reasons: Array<string>
}

export type ShownScene = {
  /** Second of the source at which it begins. */
  startTime: number
  endTime: number
  mode: 'crop' | 'halves' | 'wide'
  /** The middle at its start, in % of the width. From 0 to 100. */
  x?: number | undefined
  /** The same in % of the height. From 0 to 100. */
  y?: number | undefined
  /** How many people it was chosen for; 0 if you chose it. */
  faces: number
  /** Where the middle is later; it moves evenly from one place to the next. Absent if it stays, and behind the first 400 of a video. */
  moves?:
    | Array<{
        time: number
        /** From 0 to 100. */
        x?: number | undefined
        /** From 0 to 100. */
        y?: number | undefined
      }>
    | undefined
}

export type Chapter = {
  /** Second at which it begins: 0, or the start of a sentence. */
  startTime: number
  /** The words that it repeats, or its first sentence. */
  title: string
}

export type TranscriptState = HeardText & {
  status: 'pending' | 'processing' | 'completed' | 'failed'
  /** From 0 to 100. */
  progress?: number | undefined
  /** The whole text, once completed. */
  text?: string | undefined
  /** Code of the language that was heard, such as en. */
  language?: string | undefined
  /** Why it failed. */
  error?: string | undefined
}

export type AnalysisState = {
  status: 'not_requested' | 'pending' | 'processing' | 'completed' | 'failed'
  /** From 0 to 100. */
  progress?: number | undefined
  /** What was found, once completed. */
  data?:
    | {
        tags: Array<string>
        summary: string
        /** `unknown` when nothing tells. */
        estimatedLocation: string
      }
    | undefined
  /** Why it failed. */
  error?: string | undefined
}

export type Transcript = HeardText & {
  /** Names a video: v_ and 8 letters or digits. */
  videoId: string
  /** The whole text; empty when nobody speaks. */
  text: string
  /** Code of the language that was heard, such as en; und when none was. */
  language: string
  createdAt: string
  /** With format=json: what is said when. */
  segments?:
    | Array<{
        /** Seconds in the finished video. */
        startTime: number
        endTime: number
        text: string
        /** Who says it, if speakers was asked for: a name of the request, or Speaker 1. */
        speaker?: string | undefined
        /** Present if the provider gives the time of each word. */
        words?:
          | Array<{
              /** Seconds in the finished video. */
              startTime: number
              endTime: number
              text: string
              /** Who says it, if speakers was asked for: a name of the request, or Speaker 1. */
              speaker?: string | undefined
              /** How likely it is that this word was said, if the provider says so. From 0 to 1. */
              confidence?: number | undefined
            }>
          | undefined
      }>
    | undefined
}

export type Job = {
  /** Names a job: j_ and letters or digits. */
  jobId: string
  /** Names a video: v_ and 8 letters or digits. */
  videoId: string
  /** The status of the video. */
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
  /** What is being done, while running. */
  phase: 'fetching' | 'measuring' | 'transcribing' | 'rendering' | 'uploading' | null
  /** From 0 to 100. */
  progressPercent: number
  /** Why the job failed; null unless it did. */
  error: JobError | null
  /** All attempts, oldest first. */
  attempts: Array<JobAttempt>
  createdAt: string
  /** When a media worker first took it. */
  startedAt: string | null
  finishedAt: string | null
  lastUpdatedAt: string
}

export type JobPage = {
  /** Empty when there is no such video, or it is not yours. */
  data: Array<Job>
  /** Always null: a video has one job. */
  nextCursor: string | null
}

export type JobAttempt = {
  /** Counts from 1; a released attempt is not counted. */
  attempt: number
  startedAt: string
  finishedAt: string | null
  /** null while the attempt goes on. */
  outcome: 'succeeded' | 'failed' | 'canceled' | 'released' | 'lost' | null
  /** What ended it without a result, for people; null while it goes on and if it has one. */
  fault: string | null
  /** How long each phase took. */
  phases: Array<{
    name:
      | 'fetching'
      | 'measuring'
      | 'transcribing'
      | 'rendering'
      | 'uploading'
      | 'waiting'
      | 'analysing'
    startedAt: string
    durationMs: number
  }>
  /** Seconds of one processor that it took; null while it goes on, if its process was killed, and of attempts whose result was reused. */
  cpuSeconds: number | null
  /** The programs that were run. */
  commands: Array<{
    program: string
    args: Array<string>
    durationMs: number
    exitCode: number | null
  }>
  /** Parts of a long film that other media workers render or have rendered at the same time. */
  parts: Array<{
    /** Which part of the film, counted from 0. */
    n: number
    /** stored: rendered; stopped: it was not needed any more; failed: it is tried again or rendered by the media worker of the job. */
    state: 'running' | 'stored' | 'failed' | 'stopped'
    /** How often it was given to a media worker. */
    tries: number
    /** Pictures that are rendered. */
    pictures: number
    /** How long its last or successful try took. */
    durationMs: number
  }>
  /** The plan of the rendering as JSON; its shape may change. */
  plan: unknown
}

export type JobError = {
  error: 'ProcessingError' | 'StorageError'
  /** Why, stable for programs. */
  reason: FailureReason
  /** Why, for people; the errorMessage of the video. */
  message: string
}

export type BatchAccepted = {
  /** Names a batch: b_ and letters or digits. */
  batchId: string
  /** In the order of the items. */
  videoIds: Array<string>
  /** For people. */
  message: string
}

export type Batch = {
  /** Names a batch: b_ and letters or digits. */
  batchId: string
  /** `ended` once each of its videos has succeeded, failed, or was canceled or deleted. */
  status: 'running' | 'ended'
  preset?: string | undefined
  webhookUrl?: string | undefined
  /** How many videos it has. */
  total: number
  /** How many of them are in which state; final once it has ended. */
  counts: BatchCounts
  createdAt: string
  /** When it was canceled, if it was. */
  canceledAt?: string | undefined
  /** When its last video ended. */
  endedAt?: string | undefined
}

export type BatchWithVideos = Batch & {
  /** In the order of the items. */
  videos: Array<BatchItem>
  /** Pass it as cursor to read the next videos; null on the last page. */
  nextCursor: string | null
}

export type BatchPage = {
  /** Newest first. */
  data: Array<Batch>
  /** Pass it as cursor to read the next page; null on the last page. */
  nextCursor: string | null
}

export type BatchItem = {
  /** Its place in `items`, from 0. */
  item: number
  /** Names a video: v_ and 8 letters or digits. */
  videoId: string
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'deleted'
  videoName?: string | undefined
  /** From 0 to 100. */
  progressPercent?: number | undefined
  /** Why it failed. */
  errorMessage?: string | undefined
}

export type BatchCounts = {
  queued: number
  running: number
  succeeded: number
  failed: number
  canceled: number
  /** Deleted before the batch had ended. */
  deleted: number
}

export type BatchEvent = {
  type: 'batch.ended'
  /** When its last video ended. */
  timestamp: string
  /** The record as GET /v1/batches/{batchId} answers it, without videos. */
  data: Batch
}

export type UploadOpened = {
  /** Names an upload: u_ and letters or digits. */
  uploadId: string
  /** Bytes of every part but the last. */
  partSize: number
  parts: Array<PartAddress>
  /** After this the upload and its addresses are gone. */
  expiresAt: string
}

export type Upload = {
  /** Names an upload: u_ and letters or digits. */
  uploadId: string
  /** open: waiting for parts; ready: a video can be made; refused: not a file that videos are made of; used: a video was made. */
  status: 'open' | 'ready' | 'refused' | 'used'
  fileName: string
  sizeInBytes: number
  /** Bytes of every part but the last. */
  partSize: number
  receivedParts: Array<ReceivedPart>
  /** The missing parts, with fresh addresses. */
  parts: Array<PartAddress>
  /** Why the file was refused. */
  message?: string | undefined
  /** The video that was made from it. */
  videoId?: string | undefined
  expiresAt: string
}

export type UploadCompleted = {
  /** Names an upload: u_ and letters or digits. */
  uploadId: string
  status: 'ready'
  /** Until then a video can be made from it. */
  expiresAt: string
}

export type ReceivedPart = {
  /** From 1 to 10000. */
  partNumber: number
  /** As in the ETag header of the answer to its PUT, quotes included. */
  etag: string
  sizeInBytes: number
}

export type PartAddress = {
  /** From 1 to 10000. */
  partNumber: number
  /** PUT the bytes of this part here; needs no API key. */
  url: string
}

export type Health = {
  /** failing when any part is. */
  status: 'ok' | 'failing'
  /** Version of the service. */
  version: string
  /** The parts that were asked: database, storage, disk where the service runs on one, and mediaWorkers, or the containers of jobs. */
  checks: Record<
    string,
    {
      status: 'ok' | 'failing'
      /** What is wrong with this part, or will be if nothing is done. */
      message?: string | undefined
    }
  >
}

export type WebhookEvent = {
  type:
    | 'video.succeeded'
    | 'video.failed'
    | 'video.canceled'
    | 'destinations.delivered'
    | 'destinations.failed'
  /** When the video reached its end, or the last of its deliveries did. */
  timestamp: string
  /** The record as GET /v1/videos/{videoId} answers it. */
  data: Video
}

export type WebhookTestEvent = {
  type: 'webhook.test'
  /** When the test was asked for. */
  timestamp: string
  data: {
    /** For people. */
    message: string
  }
}

export type WebhookDelivery = {
  /** Names a delivery: dlv_ and letters or digits. */
  deliveryId: string
  /** The webhook-id of the event: the same in every attempt and redelivery. */
  webhookId: string
  /** The video that ended; null for a batch and for a test. */
  videoId: string | null
  type:
    | 'video.succeeded'
    | 'video.failed'
    | 'video.canceled'
    | 'destinations.delivered'
    | 'destinations.failed'
    | 'batch.ended'
    | 'webhook.test'
  /** Where it is sent. */
  url: string
  /** The endpoint of your account that it is for; null when the request named the address. */
  endpointId: string | null
  /** `pending` while attempts are to come; `succeeded` after a 2xx; `exhausted` when the last attempt has failed; `stopped` after a 410, or when its endpoint was disabled or deleted. */
  status: 'pending' | 'succeeded' | 'exhausted' | 'stopped'
  /** Oldest first; the last 20 of them. */
  attempts: Array<WebhookAttempt>
  /** When the video reached its end, or the test was asked for. */
  createdAt: string
  /** The earliest time of the next attempt; null when there is none. */
  nextAttemptAt: string | null
}

export type WebhookAttempt = {
  /** When the request was sent. */
  at: string
  /** The status of the answer; null when there was no answer, and for every failure at a private host. */
  statusCode: number | null
  /** From sending until the answer ended or the attempt timed out; 0 for every failure at a private host. */
  durationMs: number
  /** Why the attempt counts as failed; null when it succeeded. */
  error: string | null
  /** The first 1024 bytes of the answer, as text; empty for a private host. */
  response: string
  /** True when the attempt belongs to a redelivery. */
  redelivery: boolean
}

export type WebhookDeliveryPage = {
  /** Newest first. */
  data: Array<WebhookDelivery>
  /** Pass it as cursor to read the next page; null on the last page. */
  nextCursor: string | null
}

export type WebhookFeedEvent = {
  /** The webhook-id of the event: the same for every receiver, and at every read. */
  webhookId: string
  type: 'video.succeeded' | 'video.failed' | 'video.canceled'
  /** Names a video: v_ and 8 letters or digits. */
  videoId: string
  /** When the video reached its end. */
  timestamp: string
  /** The body of the webhook as text, byte for byte. */
  body: string
}

export type WebhookFeedPage = {
  /** In the order in which the videos ended. */
  data: Array<WebhookFeedEvent>
  /** Where you are now: pass it as cursor, at once or later, for what came after. */
  nextCursor: string
}

export type WebhookEndpoint = {
  /** Names an endpoint of webhooks: we_ and letters or digits. */
  endpointId: string
  url: string
  description: string | null
  /** The types it gets; null for every type. */
  eventTypes: Array<string> | null
  enabled: boolean
  createdAt: string
  lastUpdatedAt: string
}

export type WebhookEndpointPage = {
  /** Oldest first. */
  data: Array<WebhookEndpoint>
  /** Always null: all endpoints fit on one page. */
  nextCursor: null
}

export type WebhookSecret = {
  /** Signs every webhook: whsec_ and the key in base64. */
  secret: string
  /** Also signs every webhook for 24 hours after a rotation; null otherwise. */
  previousSecret: string | null
  /** When the previous secret stops signing. */
  previousExpiresAt: string | null
}

export type Storage = {
  /** What `storage://` addresses and destinations call it. */
  name: string
  endpoint: string
  region: string
  bucket: string
  /** Empty: the whole bucket. */
  prefix: string
  /** Where a request names the bucket: in the path, or before the host of the endpoint. */
  addressing: 'path' | 'host'
  /** Its secret is kept encrypted, and shown to nobody. */
  accessKeyId: string
  createdAt: string
  lastUpdatedAt: string
}

export type StoragePage = {
  /** By name. */
  data: Array<Storage>
  /** Always null: all storages fit on one page. */
  nextCursor: null
}

export type Preset = {
  /** What a request gives as `preset`. */
  name: string
  description: string | null
  /** True for presets that every account has and nobody can change. */
  builtIn: boolean
  /** What the preset sets: fields of POST /v1/videos, with `{{name}}` where a request gives values. */
  fields: Record<string, unknown>
  /** Every `{{name}}` in the fields; a request gives them as `values`. */
  values: Array<{
    name: string
    /** The fields that it fills. */
    fields: Array<string>
  }>
  /** Null for a built-in preset. */
  createdAt: string | null
  /** Null for a built-in preset. */
  lastUpdatedAt: string | null
}

export type PresetPage = {
  /** Your own by name, then the built-in ones. */
  data: Array<Preset>
  /** Always null: all presets fit on one page. */
  nextCursor: null
}

export type Usage = {
  from: string
  to: string
  /** Every day from the first to the last, also those without a video. */
  days: Array<UsageDay>
  /** The sum of these days. */
  total: UsageCounts
  now: {
    keptBytes: number
    /** With less left than a new upload has, it is answered with 403 `QuotaExceeded`. */
    storage: {
      /** Results, uploaded sources, and what uploads have announced. */
      usedBytes: number
      /** What the account may keep; null without a limit. */
      limitBytes: number | null
    }
    /** From `limit` on, new videos are answered with 402 `BudgetExceeded`; null without. */
    budget: {
      /** What the work of a month may cost. */
      limit: number
      /** What it has cost so far. */
      used: number
      /** Whether 80 % are used. */
      isTight: boolean
      /** When the next month begins, in UTC. */
      resetAt: string
    } | null
    /** Videos that wait. */
    queued: number
    /** Videos being processed. */
    running: number
    /** How many may run at once; null without a cap. */
    mostRunning: number | null
    /** The windows of the key that asks. */
    requests: Array<RateWindow>
  }
}

export type UsageDay = UsageCounts & {
  date: string
  /** What was kept at the end of the day: results, and uploaded sources. */
  keptBytes: number
}

export type RateWindow = {
  /** What the window counts; reads have one only where the service sets it. */
  lane: 'requests' | 'reads' | 'uploads'
  windowSeconds: number
  limit: number
  remaining: number
  /** When it begins again; null before its first request. */
  resetAt: string | null
}

export type Key = {
  /** Names an API key: k_ and letters or digits. */
  keyId: string
  /** What the key was named; null without a name. */
  name: string | null
  /** The end of the key, to recognise it by. */
  hint: string
  /** What the key may do. */
  scopes: Array<'videos:read' | 'videos:write' | 'keys:manage'>
  /** When the key was created. */
  createdAt: string
  /** When the key ends; null when it has no end. */
  expiresAt: string | null
  /** When a request last used the key, to within five minutes; null before the first. */
  lastUsedAt: string | null
  /** When the key was revoked; null when it was not. */
  revokedAt: string | null
}

export type IssuedKey = Key & {
  /** The key itself. It is not stored and cannot be shown again. */
  apiKey: string
}

export type KeyPage = {
  /** Newest first, revoked and expired keys among them. */
  data: Array<Key>
  /** Pass it as cursor to read the next page; null on the last page. */
  nextCursor: string | null
}

export type ErrorBody = {
  /** Kind of error, stable for programs. */
  error:
    | 'ValidationError'
    | 'Unauthorized'
    | 'BudgetExceeded'
    | 'Forbidden'
    | 'QuotaExceeded'
    | 'NotFound'
    | 'MethodNotAllowed'
    | 'Conflict'
    | 'LengthRequired'
    | 'PayloadTooLarge'
    | 'UnsupportedMediaType'
    | 'RateLimitExceeded'
    | 'ProcessingError'
    | 'StorageError'
    | 'InternalError'
    | 'ServiceUnavailable'
    | 'InsufficientStorage'
  /** What is wrong, for people. */
  message: string
  /** One entry per fault of the request. */
  details?:
    | Array<{
        /** Path of the field, such as elements[2].position.anchor. */
        field: string
        /** What is wrong with it. */
        message: string
      }>
    | undefined
  /** Seconds to wait; as in Retry-After. */
  retryAfter?: number | undefined
  /** With status 500 and above: quote it when you report the problem. */
  requestId?: string | undefined
}

export type FileEntry = {
  /** Address of the clip. */
  url: string
  /** Parts of this clip to leave out. */
  removeSegments?: Array<Segment> | undefined
  /** Parts of this clip to keep. */
  keepSegments?: Array<Segment> | undefined
  /** Join this clip without its sound. */
  disableAudio?: boolean | undefined
  /** How loud this clip is; 1 leaves its sound as it is. From 0 to 4. */
  volume?: number | undefined
  /** How this clip leads into the next one. */
  transition?: Transition | undefined
  /** Seconds that a picture is shown; required for JPEG, PNG, WebP and AVIF, the length of its own for a GIF. */
  duration?: number | string | undefined
  /** How the view moves over a picture while it is shown; none when absent. */
  motion?: 'none' | 'zoom-in' | 'zoom-out' | 'pan-left' | 'pan-right' | undefined
  /** How this clip fits the shape of the result; resizeMode of the request when absent. */
  fit?: 'cover' | 'contain' | 'stretch' | undefined
}

export type Segment = {
  /** Second at which the part begins. */
  startTime: number | string
  /** Second at which the part ends. */
  endTime: number | string
}

/** Something laid over the video or mixed into its sound. */
export type Element =
  | ImageElement
  | GifElement
  | VideoElement
  | AudioElement
  | TextElement
  | {
      type: 'blur'
      timing?: Timing | undefined
      /** The clip of files, from 1, that timing counts in and that it ends with. */
      clip?: number | undefined
      /** A note of your own; returned unchanged. */
      comment?: string | undefined
      position?: Position | undefined
      /** How large the rectangle is; its edges lie on even pixels. */
      size: {
        /** Pixels, or % of the frame width. */
        width: number | string
        /** Pixels, or % of the frame height. */
        height: number | string
      }
      /** blur makes it soft, pixels makes it coarse; blur when absent. */
      style?: 'blur' | 'pixels' | undefined
      /** How much is hidden; 50 when absent. From 1 to 100. */
      strength?: number | undefined
      /** What lies below it is blurred too; equal values keep array order; 0 when absent. */
      zIndex?: number | undefined
    }

export type ImageElement = VisualElement &
  PictureElement & { type: 'image'; effects?: VisualEffects | undefined }

export type GifElement = VisualElement &
  PictureElement & {
    type: 'gif'
    effects?: VisualEffects | undefined
    /** On when absent. */
    loop?: boolean | undefined
  }

export type VideoElement = VisualElement &
  PictureElement & {
    type: 'video'
    effects?: VideoEffects | undefined
    /** Off when absent. */
    loop?: boolean | undefined
  }

export type AudioElement = {
  type: 'audio'
  /** Address of the media. */
  url: string
  timing?: Timing | undefined
  /** The clip of files, from 1, that timing counts in and that it ends with. */
  clip?: number | undefined
  /** A note of your own; returned unchanged. */
  comment?: string | undefined
  effects?: AudioEffects | undefined
  /** Off when absent. */
  loop?: boolean | undefined
}

export type TextElement = VisualElement & {
  type: 'text'
  /** What is written; a line break begins a new line. */
  text: string
  effects?: VisualEffects | undefined
  /** The most room that the text may take. */
  size?:
    | {
        /** Lines are wrapped to it: pixels, or % of the frame width; 90% when absent. */
        width?: number | string | undefined
        /** The letters are made smaller until all lines fit: pixels, or % of the height. */
        height?: number | string | undefined
      }
    | undefined
  /** Inter Bold when absent. */
  font?: string | undefined
  /** Pixels, or % of the frame height; 6% when absent. */
  fontSize?: number | string | undefined
  /** Colour of the letters; #FFFFFF when absent. */
  color?: string | undefined
  /** Colour of a box behind the text; none when absent. */
  background?: string | undefined
  /** Room between text and box: pixels, or % of the font size; 30% when absent. */
  padding?: number | string | undefined
  /** A line around every letter. */
  outline?:
    | {
        /** Black or white, whichever is readable, when absent. */
        color?: string | undefined
        /** Pixels, or % of the font size; 8% when absent. */
        width?: number | string | undefined
      }
    | undefined
  /** A shadow behind the letters. */
  shadow?:
    | {
        /** #000000A0 when absent. */
        color?: string | undefined
        /** To the right and down: pixels, or % of the font size; 6% when absent. */
        distance?: number | string | undefined
        /** Pixels, or % of the font size; 6% when absent. */
        blur?: number | string | undefined
      }
    | undefined
  /** center when absent. */
  align?: 'left' | 'center' | 'right' | undefined
  /** Distance of the lines in font sizes; 1.25 when absent. From 0.5 to 4. */
  lineHeight?: number | undefined
}

/** When the element is shown or heard, in output time; the whole video when absent. */
export type Timing = {
  /** Second of the output at which it appears. */
  startTime?: number | string | undefined
  /** Second of the output at which it disappears; clamped to the end. */
  endTime?: number | string | undefined
  /** Show for the whole video; overrides startTime and endTime. */
  entireVideo?: boolean | undefined
}

/** Where the element is: anchor, or x and y, never both; centred when absent. */
export type Position = {
  /** One of nine places; not together with x and y. */
  anchor?:
    | 'top-left'
    | 'top-center'
    | 'top-right'
    | 'center-left'
    | 'center'
    | 'center-right'
    | 'bottom-left'
    | 'bottom-center'
    | 'bottom-right'
    | undefined
  /** Left edge, in % of the frame width. */
  x?: string | undefined
  /** Top edge, in % of the frame height. */
  y?: string | undefined
}

/** How large the element is; when absent, its own size, but at most the frame. */
export type Size = {
  /** Pixels, or % of the frame width. */
  width?: number | string | undefined
  /** Pixels, or % of the frame height. */
  height?: number | string | undefined
  /** Applies when width and height are both given; contain when absent. */
  fit?: 'cover' | 'contain' | undefined
}

export type VisualEffects = {
  /** 0 transparent … 1 opaque. From 0 to 1. */
  opacity?: number | undefined
  /** A fade from transparent at its start. */
  fadeIn?: Fade | undefined
  /** A fade to transparent at its end. */
  fadeOut?: Fade | undefined
  /** A move into its place at its start. */
  enter?: Motion | undefined
  /** The same move backwards, out of its place, at its end. */
  exit?: Motion | undefined
}

export type VideoEffects = VisualEffects & {
  /** 1 plays its sound as it is; without volume and duck it is silent. From 0 to 10. */
  volume?: number | undefined
  /** Lowers the sound while somebody speaks in the video. */
  duck?:
    | boolean
    | {
        /** Decibels; with true, as many as keep speech clear. From 1 to 60. */
        amount: number
      }
    | undefined
}

export type AudioEffects = {
  /** 1 leaves the sound as it is. From 0 to 10. */
  volume?: number | undefined
  /** Lowers the sound while somebody speaks in the video. */
  duck?:
    | boolean
    | {
        /** Decibels; with true, as many as keep speech clear. From 1 to 60. */
        amount: number
      }
    | undefined
  /** A fade from silence at its start. */
  fadeIn?: Fade | undefined
  /** A fade to silence at its end. */
  fadeOut?: Fade | undefined
}

/** A gradual change between nothing and full strength. */
export type Fade = {
  /** Length of the fade in seconds. */
  duration: number | string
  /** Shape of the fade; linear when absent. */
  easing?: 'linear' | 'ease-in' | 'ease-out' | 'ease-in-out' | undefined
}

export type Captions = CaptionLook & {
  /** Draw them on the picture; on when absent, unless embed is on. */
  burn?: boolean | undefined
  /** Add a track to the file, which players can show or hide; off when absent. */
  embed?: boolean | undefined
  /** Your own captions, in the times of the source; what is heard when absent. */
  source?: CaptionSource | undefined
  /** Code such as "en"; when absent, that of the speech that is heard. */
  language?: string | undefined
  /** Languages into which they are translated, by the provider of the service. */
  translateTo?: Array<string> | undefined
  /** What terms become in every translation, such as names that stay. */
  glossary?: Record<string, string> | undefined
}

export type CaptionSource = {
  /** Address of an SRT or VTT file, or of a word list as JSON. */
  url?: string | undefined
  /** The text of an SRT or VTT file. */
  text?: string | undefined
  /** Every word with its time. */
  words?:
    | Array<{
        /** The word, with its punctuation. */
        text: string
        /** Second at which the word begins. */
        startTime: number | string
        /** Second at which the word ends. */
        endTime: number | string
      }>
    | undefined
}

export type Output = OutputOptions & {
  /** Second of the finished video at which it begins. */
  startTime?: number | string | undefined
  /** Seconds of it; to the end when absent. */
  duration?: number | string | undefined
  /** Seconds that jpg and png show, each in a file; 0 when absent. */
  times?: Array<number | string> | undefined
  /** Seconds between pictures of a sprite; 100 pictures when absent. */
  interval?: number | string | undefined
}

export type CreateVideo = VideoOptions & EditOptions & RequestOptions & VideoSources

export type ChangeVideo = {
  /** The new name. */
  videoName?: string | undefined
  /** Replaces all existing metadata. */
  metadata?: Record<string, unknown> | undefined
  /** What speakers of the transcript are called from now on, by what the job called them. A speaker who is left out keeps the present name; null as a value gives that speaker's first name back, and null instead of the object gives back all first names. Two with the same name become one. */
  speakerNames?: Record<string, string | null> | null | undefined
}

export type CreateBatch = {
  /** The preset that every item starts from that names no other. */
  preset?: string | undefined
  /** Receives one signed POST when all videos of the batch have ended. */
  webhookUrl?: string | undefined
  /** A request of POST /v1/videos each: its source, `values` for the preset, and whatever else is its own. */
  items: Array<CreateVideo>
}

export type CreateUpload = {
  /** Name of the file; a video created without a videoName is named after it. */
  fileName: string
  /** Size of the whole file. */
  sizeInBytes: number
  /** Stored with the file; the format is detected from its bytes. When absent: `application/octet-stream`. */
  contentType?: string | undefined
}

export type CompleteUpload = {
  /** Every part with the ETag that its PUT returned, to be compared with what arrived. */
  parts?:
    | Array<{
        /** From 1 to 10000. */
        partNumber: number
        etag: string
      }>
    | undefined
}

export type CreateWebhookEndpoint = {
  /** Where to send events; the rules are those of webhookUrl. */
  url: string
  /** For people: who receives the events. */
  description?: string | undefined
  /** Only these; when absent every type, those of the future among them. */
  eventTypes?: Array<EventType> | undefined
}

export type ChangeWebhookEndpoint = {
  /** Where to send events; the rules are those of webhookUrl. */
  url?: string | undefined
  description?: string | null | undefined
  /** null: every type. */
  eventTypes?: Array<EventType> | null | undefined
  /** false: no events, and what is on its way is stopped; true: events again. */
  enabled?: boolean | undefined
}

export type TestWebhook = {
  /** Where to send a test event; the rules are those of webhookUrl in a video. */
  webhookUrl: string
}

export type PutPreset = {
  /** For people: what the preset is for. */
  description?: string | undefined
  /** Fields of POST /v1/videos, without a source. Texts may have `{{name}}` in them, and any value but a list or an object may be one such text, which `values` of a request fill. */
  fields: VideoOptions & EditOptions & RequestOptions
}

export type PutStorage = {
  /** The address of the S3 service, without the bucket. */
  endpoint: string
  /** The region that requests are signed for; R2 and MinIO take the default. When absent: `us-east-1`. */
  region?: string | undefined
  /** The bucket. */
  bucket: string
  /** A folder in the bucket; nothing outside of it is touched. When absent: ``. */
  prefix?: string | undefined
  /** Where a request names the bucket: in the path, or before the host of the endpoint. When absent: `path`. */
  addressing?: 'path' | 'host' | undefined
  /** A key that may read, write and delete below the prefix. */
  accessKeyId: string
  /** Its secret, which no answer shows. May be left out when a storage is saved again with the same endpoint and accessKeyId. */
  secretAccessKey?: string | undefined
}

export type CreateKey = {
  /** Shown in lists, such as the program that uses the key. */
  name?: string | undefined
  /** What the key may do; only scopes that your own key has. */
  scopes: Array<'videos:read' | 'videos:write' | 'keys:manage'>
  /** When the key ends. When absent, it ends with the key that creates it, if that one ends. */
  expiresAt?: string | undefined
}

export type RenameKey = {
  /** The new name; null removes it. */
  name: string | null
}

export type FailureReason =
  | 'source_unreachable'
  | 'source_too_slow'
  | 'source_not_allowed'
  | 'source_too_large'
  | 'source_not_media'
  | 'source_undecodable'
  | 'element_unusable'
  | 'nothing_left'
  | 'output_too_large'
  | 'check_failed'
  | 'beyond_limit'
  | 'out_of_time'
  | 'out_of_resources'
  | 'storage_failed'
  | 'worker_lost'
  | 'internal'

export type EventType =
  | 'video.succeeded'
  | 'video.failed'
  | 'video.canceled'
  | 'destinations.delivered'
  | 'destinations.failed'
  | 'batch.ended'

export type TransitionType =
  | 'crossfade'
  | 'fade'
  | 'wipe-left'
  | 'wipe-right'
  | 'slide-left'
  | 'slide-right'
  | 'none'

export type Transition = {
  /** crossfade mixes both pictures, fade goes through a colour, wipe uncovers the next picture, slide pushes it in, none cuts. */
  type: TransitionType
  /** Seconds that both parts are shown at once, by which the film is shorter; 0.5 when absent. */
  duration?: number | string | undefined
  /** The colour that a fade goes through; black when absent. */
  color?: string | undefined
}

export type AppliedTransition = {
  /** crossfade mixes both pictures, fade goes through a colour, wipe uncovers the next picture, slide pushes it in, none cuts. */
  type: TransitionType
  /** Seconds that both parts are shown at once, by which the film is shorter; 0.5 when absent. From 0.05 to 5. */
  duration?: number | undefined
  /** The colour that a fade goes through; black when absent. */
  color?: string | undefined
}

export type FilmFade = {
  /** Length of the fade in seconds. */
  duration: number | string
  /** Colour of the empty picture; #000000 when absent. */
  color?: string | undefined
}

export type AppliedFilmFade = {
  /** Length of the fade in seconds. */
  duration: number
  /** Colour of the empty picture; #000000 when absent. */
  color?: string | undefined
}

export type Crop = {
  /** Left edge: whole pixels, or % of the width; 0 when absent. */
  x?: number | string | undefined
  /** Top edge: whole pixels, or % of the height; 0 when absent. */
  y?: number | string | undefined
  /** Whole pixels, or % of the width; up to the right edge when absent. */
  width?: number | string | undefined
  /** Whole pixels, or % of the height; up to the bottom edge when absent. */
  height?: number | string | undefined
}

export type TextRange = {
  /** What is said. */
  text: string
  /** Only the time with this number, from 1; every time when absent. */
  occurrence?: number | undefined
}

export type AudioOptions = {
  /** 1 leaves the sound as it is. From 0 to 4. */
  volume?: number | undefined
  /** Leave it out; sounds of elements stay. */
  mute?: boolean | undefined
  /** Address of a sound to play instead; not with mute. */
  replaceUrl?: string | undefined
  /** A fade from silence at its start. */
  fadeIn?: Fade | undefined
  /** A fade to silence at its end. */
  fadeOut?: Fade | undefined
}

export type ColorOptions = {
  /** How much lighter every colour becomes, 1 from black to white; 0 when absent. From -1 to 1. */
  brightness?: number | undefined
  /** How far colours are from the middle grey: twice as far at 2; 1 when absent. From 0 to 3. */
  contrast?: number | undefined
  /** How colourful the picture is: grey at 0; 1 when absent. From 0 to 3. */
  saturation?: number | undefined
  /** Address of a table of colours, a .cube file with LUT_3D_SIZE, applied last. */
  lutUrl?: string | undefined
}

export type LoudnessTarget = {
  /** Loudness in LUFS; -16 when absent. From -31 to -8. */
  target?: number | undefined
  /** The highest peak in dBTP; -1.5 when absent. From -9 to 0. */
  peak?: number | undefined
}

export type Waveform = {
  /** Colour of the wave; when absent white, or black on a bright background. */
  color?: string | undefined
  /** What is below the wave: a colour, or the address of a picture. */
  background?: string | undefined
}

export type Destination = {
  /** A storage of your account. */
  storage: string
  /** Where the file goes below the prefix of the storage, with {videoId}, {videoName}, {name} (of the output; `video` without outputs), {extension} and {date}. When absent: `{videoId}/{name}.{extension}`. */
  key?: string | undefined
  /** Only these; all of them when absent. */
  outputs?: Array<string> | undefined
  /** false: the file is removed from the service once all of its deliveries are made. When absent: `true`. */
  keep?: boolean | undefined
}

export type AppliedSuggestClips = {
  /** How many at most; 5 when absent. From 1 to 20. */
  count?: number | undefined
  /** Seconds that each lasts at least; 15 when absent. From 1 to 300. */
  minDuration?: number | undefined
  /** Seconds that each lasts at most; 60 when absent. From 1 to 300. */
  maxDuration?: number | undefined
  /** Only parts that say one of these words, in any form. */
  about?: string | undefined
}

export type AppliedTrim = {
  /** Seconds taken off the beginning. */
  start?: number | undefined
  /** Seconds taken off the end. */
  end?: number | undefined
}

export type AppliedReframe = {
  /** In order, without overlaps. */
  scenes: Array<{
    /** Second of the source at which it begins. */
    startTime: number
    /** Second of the source at which it ends. */
    endTime: number
    /** What is shown: a part of the picture, two people one above the other, or all of it with bars; crop when absent. */
    mode?: 'crop' | 'halves' | 'wide' | undefined
    /** The middle of the part: whole pixels, or % of the width; 50% when absent. */
    x?: number | string | undefined
    /** The middle of the part: whole pixels, or % of the height; 50% when absent. */
    y?: number | string | undefined
  }>
}

export type Stretch = {
  /** Second of the result. */
  startTime: number
  /** Second of the result. */
  endTime: number
}

export type CheckResult = {
  /** What was looked at. */
  name:
    | 'length'
    | 'size'
    | 'decoding'
    | 'seams'
    | 'pictures'
    | 'black'
    | 'frozen'
    | 'silence'
    | 'channels'
    | 'sync'
    | 'loudness'
    | 'captions'
    | 'title-safe'
    | 'colors'
    | 'playback'
  /** `warned` keeps the result; see `message`. */
  result: 'passed' | 'warned' | 'failed'
  /** What was found, for people. */
  message: string
  /** Where in the result, if it is only a part of it. */
  stretch?: Stretch | undefined
}

export type ShownCheck = CheckResult & {
  /** A picture of that place in the result, a JPEG. */
  stillUrl?: string | undefined
}

export type Speaker = {
  name: string
  /** How long they speak. */
  seconds: number
  /** What the job called them, if they were given this name afterwards. */
  heardAs?: Array<string> | undefined
}

export type HeardText = {
  /** How sure the provider is of the text as a whole, if it says so; a doubtful text has an entry in `warnings`. From 0 to 1. */
  confidence?: number | undefined
  /** Who speaks, in order of appearance, if speakers was asked for. */
  speakers?: Array<Speaker> | undefined
  /** False if the voices are too alike, or too short, to be sure of who speaks. */
  speakersCertain?: boolean | undefined
  /** The text as a file; absent once the files are gone. */
  transcriptUrl?: string | undefined
  /** Captions as WebVTT, for a track of a video on a page. */
  vttUrl?: string | undefined
  /** Captions as SubRip, for players and editors. */
  srtUrl?: string | undefined
}

export type CaptionPosition = 'bottom' | 'middle' | 'top' | { y: string }

export type CaptionLook = {
  /** Which of translateTo is drawn on the picture; what is said when absent. */
  burnLanguage?: string | undefined
  /** plain: letters with an outline; box: on a box; karaoke: highlights the word being said. plain when absent. */
  style?: 'plain' | 'box' | 'karaoke' | undefined
  /** bottom, middle, top, or where the middle of the text is; bottom when absent. */
  position?: CaptionPosition | undefined
  /** Inter Bold when absent. */
  font?: string | undefined
  /** Of the font: pixels, or % of the frame height; fits the frame when absent. */
  size?: number | string | undefined
  /** Colour of the letters; #FFFFFF when absent. */
  color?: string | undefined
  /** Colour of the word being said; #FFE100 in karaoke when absent, else none. */
  highlight?: string | undefined
  /** Colour of the box; #000000C0 in box when absent, else none. */
  background?: string | undefined
  /** Letters in another colour for each speaker, on what is heard; off when absent. */
  colorBySpeaker?: boolean | undefined
  /** 2 when absent. From 1 to 4. */
  maxLines?: number | undefined
  /** Off when absent. */
  uppercase?: boolean | undefined
}

export type Motion = {
  /** From which edge of the frame, or growing from its middle. */
  type: 'from-left' | 'from-right' | 'from-top' | 'from-bottom' | 'zoom'
  /** Length of the move in seconds. */
  duration: number | string
  /** Shape of the move; linear when absent. */
  easing?: 'linear' | 'ease-in' | 'ease-out' | 'ease-in-out' | undefined
}

export type ChromaKey = {
  /** The colour that becomes transparent. */
  color: string
  /** How far from it colours may be, brightness aside: 0.12 when absent. From 0.01 to 1. */
  similarity?: number | undefined
}

export type VideoOptions = {
  /** Receives a signed POST when the video succeeds, fails or is canceled. */
  webhookUrl?: string | undefined
  /** Whether a result of yours that still stands may be the answer, if the bytes of every file, the options and the version are the same; true when absent. */
  reuse?: boolean | undefined
  /** An object of your own, returned with the video and sent in webhooks. */
  metadata?: Record<string, unknown> | undefined
  /** Tell who says what, in the transcript and its files. */
  speakers?:
    | boolean
    | {
        /** How many people speak, if you know; found out when absent. From 1 to 10. */
        count?: number | undefined
        /** Their names, in the order in which they first speak; Speaker 1, Speaker 2 otherwise. A name that is given twice makes one speaker of two voices. */
        names?: Array<string> | undefined
      }
    | undefined
  /** Names and words to know when they are said, spelled as they are to be written. */
  vocabulary?: Array<string> | undefined
  /** Make a result of each clip that suggestClips finds, or would find by its defaults. */
  clips?: 'suggested' | undefined
  /** List chapters by subject, in `moments` and in MP4, MOV, WebM and HLS. */
  chapters?: boolean | undefined
  /** Cover every face of the sources with a blur that cannot be undone. */
  blurFaces?: boolean | undefined
  /** The part of the upright picture that is kept, before the picture is shaped. */
  crop?: Crop | undefined
  /** Brightness, contrast, saturation and a table of colours. */
  color?: ColorOptions | undefined
  /** Mirror the picture: left and right, top and bottom, or both. */
  flip?: 'horizontal' | 'vertical' | 'both' | undefined
  /** Picture of a source that is sound alone: a colour, or the address of a picture. */
  background?: string | undefined
  /** Picture of a source that is sound alone: its wave as it is heard, on background. */
  waveform?: boolean | Waveform | undefined
  /** Captions on the picture or as a track of the file. */
  captions?: Captions | undefined
  /** Parts of the source to leave out. */
  removeSegments?: Array<Segment> | undefined
  /** Parts of the source to keep, not with removeSegments. */
  keepSegments?: Array<Segment> | undefined
  /** How fast it plays, at the same pitch; 1 when absent. From 0.25 to 4. */
  speed?: number | undefined
  /** The sound of the film itself. */
  audio?: AudioOptions | undefined
  /** Cut these words wherever they are said, or only the time that `occurrence` names. */
  removeText?: Array<string | TextRange> | undefined
  /** Cut everything but these words; nothing is cut if none of them is said. */
  keepText?: Array<string | TextRange> | undefined
  /** Cut what these people say. */
  removeSpeakers?: Array<string> | undefined
  /** Cut everything but what these people say. */
  keepSpeakers?: Array<string> | undefined
  /** Cover these words in the sound, and write *** for them wherever they are written. */
  bleep?: Array<string> | undefined
  /** What is heard in place of a covered word; tone when absent. */
  bleepWith?: 'tone' | 'silence' | undefined
  /** Overlays and sounds. */
  elements?: Array<Element> | undefined
}

export type EditOptions = {
  /** Make no video: answer the transcript, and suggestions of what to cut. When absent: `false`. */
  analyzeOnly?: boolean | undefined
  /** Join all files into one video; required with files. When absent: `false`. */
  combine?: boolean | undefined
  /** Cut pauses, keeping a little padding around speech. When absent: `false`. */
  removeSilence?: boolean | undefined
  /** Bring the loudness to -16 LUFS, or to a target of your own. When absent: `false`. */
  normalizeAudio?: boolean | LoudnessTarget | undefined
  /** Reduce background noise; music is kept. When absent: `false`. */
  removeNoise?: boolean | undefined
  /** Transcribe the speech of the finished video. When absent: `false`. */
  enableTranscription?: boolean | undefined
  /** Find tags, a summary and a likely location. When absent: `false`. */
  enableAiAnalysis?: boolean | undefined
  /** Make a JPEG still of the finished video. When absent: `false`. */
  enableThumbnail?: boolean | undefined
  /** Container of the result. When absent: `mp4`. */
  outputFormat?: 'mp4' | 'mov' | 'avi' | 'webm' | undefined
  /** 1 makes the smallest file, 100 keeps the quality of the original. From 1 to 100. When absent: `100`. */
  compressionQuality?: number | undefined
  /** Render a long film in parts, by all media workers that are free. The result is the same. When absent: `true`. */
  split?: boolean | undefined
  /** Hold a shaky picture still. When absent: `false`. */
  stabilize?: boolean | undefined
  /** Degrees clockwise by which the picture is turned, before it is shaped. When absent: `0`. */
  rotate?: 0 | 90 | 180 | 270 | undefined
  /** Shape of the result. When absent: `original`. */
  aspectRatio?: 'original' | '16:9' | '9:16' | '1:1' | '4:5' | '4:3' | '21:9' | undefined
  /** How the picture fits another shape: cover crops it, contain adds bars, stretch distorts it, follow crops it around the faces of each shot. When absent: `cover`. */
  resizeMode?: 'cover' | 'contain' | 'stretch' | 'follow' | undefined
  /** Colour of the bars; blur fills them with the blurred picture itself. When absent: `#000000`. */
  backgroundColor?: string | undefined
  /** Cut um, uh and er, and starts that are said again. When absent: `false`. */
  removeFillers?: boolean | undefined
}

export type RequestOptions = {
  /** Name of the video; that of the file when absent. */
  videoName?: string | undefined
  /** Buckets of yours, saved as storages, that the results are delivered to. */
  destinations?: Array<Destination> | undefined
  /** Fails at its start if the work would take more seconds. */
  maxSeconds?: number | undefined
  /** The same for the price that a plan tells. */
  maxPrice?: number | undefined
  /** Suggest parts worth a clip, in `moments`. */
  suggestClips?:
    | {
        /** How many at most; 5 when absent. From 1 to 20. */
        count?: number | undefined
        /** Seconds that each lasts at least; 15 when absent. */
        minDuration?: number | string | undefined
        /** Seconds that each lasts at most; 60 when absent. */
        maxDuration?: number | string | undefined
        /** Only parts that say one of these words, in any form. */
        about?: string | undefined
      }
    | undefined
  /** What resizeMode follow shows in stretches of the source, in place of what it finds. */
  reframe?:
    | {
        /** In order, without overlaps. */
        scenes: Array<{
          /** Second of the source at which it begins. */
          startTime: number | string
          /** Second of the source at which it ends. */
          endTime: number | string
          /** What is shown: a part of the picture, two people one above the other, or all of it with bars; crop when absent. */
          mode?: 'crop' | 'halves' | 'wide' | undefined
          /** The middle of the part: whole pixels, or % of the width; 50% when absent. */
          x?: number | string | undefined
          /** The middle of the part: whole pixels, or % of the height; 50% when absent. */
          y?: number | string | undefined
        }>
      }
    | undefined
  /** Seconds to take off both ends. */
  trim?:
    | {
        /** Seconds taken off the beginning. */
        start?: number | string | undefined
        /** Seconds taken off the end. */
        end?: number | string | undefined
      }
    | undefined
  /** How the parts around each cut lead into each other, whatever the cut is made by. */
  cutTransition?: Transition | undefined
  /** A fade of the film from a colour at its start. */
  fadeIn?: FilmFade | undefined
  /** A fade of the film to a colour at its end. */
  fadeOut?: FilmFade | undefined
  /** Several results of one edit, each with what differs from the request; finalVideoUrl is the first video. */
  outputs?: Array<Output> | undefined
}

export type VideoSources = {
  /** Address of one source video. Give exactly one of fileUrl, files, uploadId and sourceVideoId. */
  fileUrl?: string | undefined
  /** Source videos to be combined; needs combine: true. */
  files?: Array<FileEntry> | undefined
  /** A finished direct upload. */
  uploadId?: string | undefined
  /** An earlier video of yours: the same source once more, without sending it again. An upload is kept until `sourceExpiresAt` of that video; addresses are fetched again. */
  sourceVideoId?: string | undefined
  /** A preset to start from: each field that the request leaves out is as the preset has it. */
  preset?: string | undefined
  /** What stands in place of each `{{name}}` of the preset. */
  values?: Record<string, string | number | boolean> | undefined
}

export type OutputOptions = {
  /** What it is called in the record; no two outputs have the same name. */
  name: string
  /** Container of this result; mp3, m4a, wav, flac and ogg (Opus) hold the sound alone, gif and webp move, jpg and png are stills, sprite is for the time line of a player, hls is a stream in sizes. That of the request when absent. */
  outputFormat?:
    | 'mp4'
    | 'mov'
    | 'avi'
    | 'webm'
    | 'mp3'
    | 'm4a'
    | 'wav'
    | 'flac'
    | 'ogg'
    | 'gif'
    | 'webp'
    | 'jpg'
    | 'png'
    | 'sprite'
    | 'hls'
    | undefined
  /** As in the request; wav and flac lose nothing. From 1 to 100. */
  compressionQuality?: number | undefined
  /** Shape of this result. */
  aspectRatio?: 'original' | '16:9' | '9:16' | '1:1' | '4:5' | '4:3' | '21:9' | undefined
  /** How the picture fits its shape. */
  resizeMode?: 'cover' | 'contain' | 'stretch' | 'follow' | undefined
  /** Colour of its bars, or blur. */
  backgroundColor?: string | undefined
  /** Exact width in pixels; follows from the height and the shape when absent. From 16 to 4096. */
  width?: number | undefined
  /** Exact height in pixels; follows from the width and the shape when absent. From 16 to 4096. */
  height?: number | undefined
  /** Pictures a second, such as 25 or "24000/1001"; those of the source when absent. */
  fps?: number | string | undefined
  /** h264 plays everywhere; hevc, vp9 and av1 need fewer bytes and more time. MP4 takes all of them, MOV h264 and hevc, WebM vp9 and av1, AVI h264. h264 when absent, vp9 in WebM. */
  videoCodec?: 'h264' | 'hevc' | 'vp9' | 'av1' | undefined
  /** The file is never larger. At compressionQuality 100 it takes nearly all of these bytes if its sources have as many; at a lower quality it may take fewer. From 10000 to 100000000000. */
  maxBytes?: number | undefined
  /** Bits a second of picture and sound together, which no second of it exceeds. From 64000 to 500000000. */
  maxBitrate?: number | undefined
  /** Sizes of an hls stream by the shorter side, none larger than the film; 1080, 720, 480, 360 when absent. */
  heights?: Array<number> | undefined
  /** A stretch of the source that becomes a film of its own: its times, captions, loudness and fades count from its own start. */
  clip?: Segment | undefined
  /** false leaves out the captions of the request; an object changes how they look. */
  captions?: false | CaptionLook | undefined
}

export type VisualElement = {
  timing?: Timing | undefined
  /** The clip of files, from 1, that timing counts in and that it ends with. */
  clip?: number | undefined
  /** A note of your own; returned unchanged. */
  comment?: string | undefined
  position?: Position | undefined
  /** Higher values are in front; equal values keep array order; 0 when absent. */
  zIndex?: number | undefined
  /** Degrees clockwise by which it is turned about its middle. From -360 to 360. */
  rotation?: number | undefined
  /** Rounds its corners: pixels, or % of its shorter side; 50% of a square is a circle. */
  cornerRadius?: number | string | undefined
  /** tile repeats it side by side over the whole frame. */
  repeat?: 'tile' | undefined
}

export type PictureElement = {
  /** Address of the media. */
  url: string
  size?: Size | undefined
  /** The part of its own picture that is shown. */
  crop?: Crop | undefined
  /** Makes a colour of it transparent, such as a green wall. */
  chromaKey?: ChromaKey | undefined
}

export type UsageCounts = {
  /** Videos that succeeded. */
  succeeded: number
  /** Videos that failed. */
  failed: number
  /** Videos that were canceled. */
  canceled: number
  /** Length of the sources of videos that succeeded: the result, and what was cut from it. */
  minutesIn: number
  /** Length of the results. */
  minutesOut: number
  /** Seconds of one processor that the work took, in every attempt of every job. */
  processorSeconds: number
  /** These seconds by kind of work; what ran side by side is divided by its length. */
  work: { measuring: number; rendering: number; transcribing: number; analysing: number }
  /** Size of the results that were made; a result that was there already is not made. */
  resultBytes: number
  /** What the processor seconds and the results cost, at the prices of today. */
  price: number
  /** The price by kind of work, and of the results. */
  prices: {
    measuring: number
    rendering: number
    transcribing: number
    analysing: number
    results: number
  }
}
