import type { CreateVideo } from '../../client/src/api-types.ts'

export type DemoRequest = { key: string; title: string; about: string; request: CreateVideo }

/** Addresses on this machine that the service can fetch and call. */
type Reachable = { logo: string; webhook: string }

/** What is asked for of the one clip; the first is compared with it. */
export function listWishes(reachable: Reachable | undefined): DemoRequest[] {
  return [cleanTalk(reachable?.webhook), forPhones(reachable?.logo), smallWebm]
}

function cleanTalk(webhookUrl: string | undefined): DemoRequest {
  return {
    key: 'talk',
    title: 'A speech, cleaned',
    about: 'Pauses cut, hum taken out, sound brought to −16 LUFS, transcribed.',
    request: {
      videoName: 'A speech, cleaned',
      removeSilence: true,
      removeNoise: true,
      normalizeAudio: true,
      enableTranscription: true,
      enableThumbnail: true,
      ...(webhookUrl !== undefined && { webhookUrl }),
    },
  }
}

function forPhones(logo: string | undefined): DemoRequest {
  return {
    key: 'phone',
    title: 'For phones',
    about: `Cropped to 9:16, with captions${logo === undefined ? '' : ' and a logo that fades in'}.`,
    request: {
      videoName: 'For phones',
      aspectRatio: '9:16',
      resizeMode: 'cover',
      normalizeAudio: true,
      captions: { style: 'karaoke' },
      ...(logo !== undefined && { elements: [logoAt(logo)] }),
    },
  }
}

function logoAt(url: string) {
  return {
    type: 'image' as const,
    url,
    position: { anchor: 'top-center' as const },
    size: { width: '45%' },
    effects: { opacity: 0.9, fadeIn: { duration: 1, easing: 'ease-out' as const } },
  }
}

const smallWebm: DemoRequest = {
  key: 'small',
  title: 'Small WebM',
  about: 'The first words cut off by hand, as WebM at quality 40.',
  request: {
    videoName: 'Small WebM',
    outputFormat: 'webm',
    compressionQuality: 40,
    removeSegments: [{ startTime: 0, endTime: 2.8 }],
  },
}
