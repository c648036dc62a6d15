import type { Tool } from './tool.ts'
import { cancelVideo } from './tools/cancel-video.ts'
import { getVideo } from './tools/get-video.ts'
import { listVideos } from './tools/list-videos.ts'
import { makeVideo } from './tools/make-video.ts'
import { openUpload } from './tools/open-upload.ts'
import { planVideo } from './tools/plan-video.ts'
import { readTranscript } from './tools/read-transcript.ts'

/** In the order in which an agent reads them. */
export const tools: readonly Tool[] = [
  makeVideo,
  planVideo,
  getVideo,
  readTranscript,
  listVideos,
  cancelVideo,
  openUpload,
]
