import type { CreateVideo } from '../../contract/options/create-video.ts'

/** What would be done for this request, in the order in which the media worker does it. */
export function sayPlan(plan: CreateVideo): string[] {
  if (plan.analyzeOnly) return sayAnalysis(plan)
  return [
    saySource(plan),
    ...sayCuts(plan),
    ...saySound(plan),
    ...sayPicture(plan),
    sayOutput(plan),
    ...sayInsights(plan),
  ]
}

/** Nothing else is read if no video is made. */
function sayAnalysis(plan: CreateVideo): string[] {
  return [
    saySource({ ...plan, rotate: 0 }),
    'listen, and suggest which silences, fillers and repeated starts to cut; no video is made',
    'make a transcript and captions',
    ...sayHook(plan),
  ]
}

function saySource({ files, uploadId, rotate }: CreateVideo): string {
  const source = files
    ? `fetch ${count(files.length, 'clip')} and join them in this order`
    : undefined
  const turn = rotate === 0 ? '' : `, turn the picture by ${rotate}° clockwise`
  return `${source ?? (uploadId ? `take the upload ${uploadId}` : 'fetch the source')}${turn}`
}

function sayCuts(plan: CreateVideo): string[] {
  const { removeSegments = [], files = [], removeSilence, removeText = [], keepText = [] } = plan
  const named = removeSegments.length + files.flatMap((file) => file.removeSegments ?? []).length
  return [
    ...(named > 0 ? [`cut ${count(named, 'segment')} that you name`] : []),
    ...(keepText.length > 0 ? [`keep only ${count(keepText.length, 'phrase')}`] : []),
    ...(removeText.length > 0
      ? [`cut ${count(removeText.length, 'phrase')} wherever it is said`]
      : []),
    ...(plan.removeFillers ? ['cut fillers such as um, and repeated starts'] : []),
    ...(removeSilence ? ['cut the pauses in which nobody speaks'] : []),
  ]
}

function saySound({ removeNoise, normalizeAudio }: CreateVideo): string[] {
  return [
    ...(removeNoise ? ['take out background noise; music stays'] : []),
    ...(normalizeAudio ? ['bring the loudness to −16 LUFS'] : []),
  ]
}

function sayPicture({
  aspectRatio,
  resizeMode,
  backgroundColor,
  elements = [],
}: CreateVideo): string[] {
  const bars = resizeMode === 'contain' ? `, bars in ${backgroundColor}` : ''
  return [
    ...(aspectRatio === 'original' ? [] : [`shape it ${aspectRatio} (${resizeMode}${bars})`]),
    ...(elements.length > 0 ? [`add ${count(elements.length, 'element')} on top`] : []),
  ]
}

function sayOutput({ outputFormat, compressionQuality }: CreateVideo): string {
  const how = compressionQuality === 100 ? ', copied where nothing changes the pictures' : ''
  return `write ${outputFormat.toUpperCase()} at quality ${compressionQuality}${how}`
}

function sayInsights(plan: CreateVideo): string[] {
  const made = [
    ...(plan.enableTranscription ? ['a transcript and captions'] : []),
    ...(plan.enableAiAnalysis ? ['tags and a summary'] : []),
    ...(plan.enableThumbnail ? ['a thumbnail'] : []),
  ]
  return [
    ...(made.length > 0 ? [`make ${made.join(', ')} of the finished video`] : []),
    ...sayHook(plan),
  ]
}

function sayHook({ webhookUrl }: CreateVideo): string[] {
  return webhookUrl ? ['tell your webhookUrl when it ends'] : []
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
