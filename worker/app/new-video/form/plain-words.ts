import { elementWords, rare, type PlainWords } from './element-words.ts'

const fits = { cover: 'Is cropped', contain: 'Gets bars', stretch: 'Is stretched' }
const formats = { mp4: 'MP4', mov: 'MOV', avi: 'AVI', webm: 'WebM' }

const technical = { isRare: 'developers' } as const

/** By the path of the field, without the places in lists. */
const said: Readonly<Record<string, PlainWords>> = {
  videoName: { label: 'Name', hint: '' },
  fileUrl: { label: 'Address', hint: 'Where the video can be downloaded from.' },
  files: { label: 'Files', hint: 'Joined in this order.' },
  'files.url': { label: 'Address', hint: 'Where this clip can be downloaded from.' },
  'files.disableAudio': { label: 'Without its sound', hint: '', ...rare },
  'files.fit': {
    label: 'If its shape differs',
    hint: '',
    values: fits,
    unset: 'As for all',
    ...rare,
  },
  'files.removeSegments': { label: 'Parts to cut out of it', ...rare },
  removeSilence: { label: 'Cut the pauses', hint: 'A little room stays around what is said.' },
  removeSegments: {
    label: 'Parts to cut out',
    hint: 'Drag along the strip below the picture, or enter the seconds.',
  },
  'removeSegments.startTime': { label: 'From', hint: '' },
  'removeSegments.endTime': { label: 'To', hint: '' },
  'files.removeSegments.startTime': { label: 'From', hint: '' },
  'files.removeSegments.endTime': { label: 'To', hint: '' },
  removeFillers: {
    label: 'Cut um, uh and er',
    hint: 'And sentences that are begun twice.',
  },
  removeText: {
    label: 'Words to cut',
    hint: 'One phrase in a line. Each is cut wherever it is said; “#2” after it cuts only the second time.',
  },
  keepText: {
    label: 'Keep only these words',
    hint: 'One phrase in a line. Everything else is cut; nothing is cut if none of them is said.',
    ...rare,
  },
  analyzeOnly: {
    label: 'Only look what could be cut',
    hint: 'Makes no video: you get the words, and suggestions to choose from.',
    ...rare,
  },
  removeNoise: { label: 'Take out background noise', hint: 'Music stays.' },
  normalizeAudio: { label: 'Even out the loudness', hint: 'To −16 LUFS, as podcasts have it.' },
  aspectRatio: { label: 'Shape', hint: '', values: { original: 'As it is' } },
  resizeMode: { label: 'What does not fit the shape', hint: '', values: fits },
  backgroundColor: {
    label: 'Colour of the bars',
    hint: 'Such as #101820; “blur” fills them with the blurred picture.',
  },
  rotate: {
    label: 'Turn',
    hint: '',
    values: { 0: 'No', 90: '90° right', 180: 'Upside down', 270: '90° left' },
    ...rare,
  },
  flip: {
    label: 'Mirror',
    hint: '',
    values: { horizontal: 'Left and right', vertical: 'Top and bottom', both: 'Both' },
    unset: 'No',
    ...rare,
  },
  crop: { label: 'Keep only a part of the picture', hint: 'In pixels, or such as 10%.', ...rare },
  'crop.x': { label: 'From the left', hint: '' },
  'crop.y': { label: 'From the top', hint: '' },
  'crop.width': { label: 'Width', hint: 'Up to the right edge if it is empty.' },
  'crop.height': { label: 'Height', hint: 'Up to the bottom edge if it is empty.' },
  color: { label: 'Colours', hint: '', ...rare },
  'color.brightness': { label: 'Brightness', hint: 'From -1 to 1.' },
  'color.contrast': { label: 'Contrast', hint: '1 leaves it as it is.' },
  'color.saturation': { label: 'Saturation', hint: '1 leaves it as it is, 0 is grey.' },
  'color.lutUrl': { label: 'Address of a .cube file', hint: 'A table of colours.' },
  fadeIn: { label: 'Fade the film in', hint: 'From a colour, at its start.', ...rare },
  'fadeIn.duration': { label: 'For', hint: '' },
  'fadeIn.color': { label: 'Colour', hint: 'Black if it is empty.' },
  fadeOut: { label: 'Fade the film out', hint: 'To a colour, at its end.', ...rare },
  'fadeOut.duration': { label: 'For', hint: '' },
  'fadeOut.color': { label: 'Colour', hint: 'Black if it is empty.' },
  elements: {
    label: 'Overlays and sounds',
    hint: 'Logos, pictures, clips, texts and sounds. Drag them in the preview.',
    values: {
      ...{ image: 'image', gif: 'GIF', video: 'clip', audio: 'sound', text: 'text' },
      blur: 'blurred part',
    },
  },
  captions: {
    label: 'Put captions on the picture',
    hint: 'What is said, word for word.',
  },
  'captions.style': {
    label: 'How they look',
    hint: '',
    values: { plain: 'Outlined', box: 'On a box', karaoke: 'Word by word' },
  },
  'captions.position': {
    label: 'Where',
    hint: 'Drag them up and down in the preview, or focus them there and use the arrow keys.',
    values: { bottom: 'Bottom', middle: 'Middle', top: 'Top' },
  },
  'captions.burn': { isHidden: true },
  'captions.embed': {
    label: 'As a track that players can show or hide, not on the picture',
    hint: '',
    ...rare,
  },
  'captions.source': { label: 'Captions of your own', ...rare },
  'captions.source.words': { isHidden: true },
  'captions.source.text': { label: 'Text of an SRT or VTT file', hint: '', isLong: true },
  'captions.language': {
    label: 'Language',
    hint: 'A code such as en; otherwise it is heard.',
    ...rare,
  },
  'captions.font': { label: 'Font', hint: '', ...rare },
  'captions.size': { label: 'Size', ...rare },
  'captions.color': { label: 'Colour of the letters', hint: '', ...rare },
  'captions.highlight': { label: 'Colour of the word being said', hint: '', ...rare },
  'captions.background': { label: 'Colour of the box', hint: '', ...rare },
  'captions.maxLines': { label: 'Lines at once, at most', hint: '', ...rare },
  'captions.uppercase': { label: 'In capitals', hint: '', ...rare },
  enableTranscription: {
    label: 'Write down what is said',
    hint: 'As text, and as caption files beside the video.',
  },
  enableAiAnalysis: { label: 'Describe what is seen and said', hint: 'Tags, a summary, a place.' },
  enableThumbnail: { label: 'Make a still', hint: 'A JPEG of a good moment.' },
  outputFormat: {
    label: 'Format',
    hint: '',
    values: formats,
  },
  compressionQuality: {
    label: 'Quality',
    hint: '100 looks like the original; less makes a smaller file.',
  },
  outputs: {
    label: 'Several results of this edit',
    hint: 'Such as a wide film, a tall one and an MP3. What you leave open is as above.',
  },
  'outputs.name': { label: 'Name', hint: 'Letters, digits and hyphens: it ends the file name.' },
  'outputs.outputFormat': {
    label: 'Format',
    hint: 'MP3, M4A, WAV, FLAC and Opus hold the sound alone; GIF, WebP, JPEG and PNG are pictures; HLS streams in several sizes.',
    values: {
      ...formats,
      ...{ mp3: 'MP3', m4a: 'M4A', wav: 'WAV', flac: 'FLAC', ogg: 'Opus' },
      ...{ gif: 'GIF', webp: 'WebP that moves', jpg: 'JPEG still', png: 'PNG still' },
      ...{ sprite: 'Small pictures for a player', hls: 'HLS stream' },
    },
    unset: 'As above',
  },
  'outputs.aspectRatio': {
    label: 'Shape',
    hint: '',
    values: { original: 'As it is' },
    unset: 'As above',
  },
  'outputs.resizeMode': {
    label: 'What does not fit the shape',
    hint: '',
    values: fits,
    unset: 'As above',
    ...rare,
  },
  'outputs.backgroundColor': { label: 'Colour of the bars', hint: '', ...rare },
  'outputs.compressionQuality': { label: 'Quality', hint: 'As above if it is empty.', ...rare },
  'outputs.width': {
    label: 'Width',
    hint: 'In pixels; it follows from the height if empty.',
    ...rare,
  },
  'outputs.height': {
    label: 'Height',
    hint: 'In pixels; it follows from the width if empty.',
    ...rare,
  },
  'outputs.fps': { label: 'Pictures a second', hint: 'As in the source if it is empty.', ...rare },
  'outputs.videoCodec': {
    label: 'Codec',
    hint: 'HEVC, VP9 and AV1 need fewer bytes and more time; H.264 plays everywhere.',
    values: { h264: 'H.264', hevc: 'HEVC', vp9: 'VP9', av1: 'AV1' },
    unset: 'The usual one',
    ...rare,
  },
  'outputs.maxBytes': { label: 'At most this many bytes', hint: '', ...rare },
  'outputs.maxBitrate': { label: 'Highest bit rate', hint: 'No second takes more.', ...rare },
  'outputs.heights': { isHidden: true },
  'outputs.startTime': {
    label: 'Begins at',
    hint: 'Second of the finished video; for a part of it.',
    ...rare,
  },
  'outputs.duration': { label: 'Lasts', hint: 'Seconds; to the end if it is empty.', ...rare },
  'outputs.times': { isHidden: true },
  'outputs.interval': {
    label: 'Seconds between small pictures',
    hint: 'About 100 pictures if it is empty.',
    ...rare,
  },
  'outputs.captions': { isHidden: true },
  destinations: {
    label: 'Buckets of yours',
    hint: 'The results are delivered to them. Save a bucket under Storages first.',
    ...rare,
  },
  'destinations.storage': { label: 'Storage', hint: 'Its name, as under Storages.' },
  'destinations.key': {
    label: 'Key',
    hint: 'Where the file goes; {name} is that of the result.',
    ...rare,
  },
  'destinations.outputs': { isHidden: true },
  'destinations.keep': { label: 'Keep it here too', hint: '', ...rare },
  split: {
    label: 'In parts, if it is long',
    hint: 'By all media workers that are free; it looks the same.',
    ...rare,
  },
  webhookUrl: { label: 'Address to tell when it ends', hint: 'A webhook of yours.', ...technical },
  metadata: {
    label: 'Data of your own',
    hint: 'JSON that comes back with the video and in webhooks.',
    ...technical,
  },
  ...elementWords,
}

export function plainWords(path: string): PlainWords {
  return said[path] ?? {}
}
