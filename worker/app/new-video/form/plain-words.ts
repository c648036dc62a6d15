import { captionFields } from './caption-fields.ts'
import { choice, elementWords, rare, rarely, words, type PlainWords } from './element-words.ts'

const fits = { cover: 'Is cropped', contain: 'Gets bars', stretch: 'Is stretched' }
const ways = { ...fits, follow: 'Follows the face' }
const formats = { mp4: 'MP4', mov: 'MOV', avi: 'AVI', webm: 'WebM' }

function technically(label: string, hint = ''): PlainWords {
  return { label, hint, isRare: 'developers' }
}

function transitionWords(at: string): Record<string, PlainWords> {
  return {
    [`${at}.type`]: choice('Kind', {
      crossfade: 'Crossfade',
      fade: 'Fade through a colour',
      'wipe-left': 'Wipe to the left',
      'wipe-right': 'Wipe to the right',
      'slide-left': 'Slide to the left',
      'slide-right': 'Slide to the right',
      none: 'None',
    }),
    [`${at}.duration`]: words('Seconds'),
    [`${at}.color`]: words('Colour of the fade'),
  }
}

/** Fields that mean the same wherever they are, by the end of their path. */
const saidEverywhere: Readonly<Record<string, PlainWords>> = {
  startTime: words('From'),
  endTime: words('To'),
  easing: choice('How it goes', {
    linear: 'Evenly',
    'ease-in': 'Slowly at first',
    'ease-out': 'Slowly at the end',
    'ease-in-out': 'Slowly at both ends',
  }),
  'fadeIn.duration': words('For'),
  'fadeOut.duration': words('For'),
  'enter.duration': words('For'),
  'exit.duration': words('For'),
  'fadeIn.color': words('Colour', 'Black if it is empty.'),
  'fadeOut.color': words('Colour', 'Black if it is empty.'),
  'crop.x': words('From the left'),
  'crop.y': words('From the top'),
  'crop.width': words('Width', 'Up to the right edge if it is empty.'),
  'crop.height': words('Height', 'Up to the bottom edge if it is empty.'),
}

/** By the path of the field, without the places in lists. */
const said: Readonly<Record<string, PlainWords>> = {
  videoName: words('Name'),
  fileUrl: words('Address', 'Where the video can be downloaded from.'),
  files: words('Files', 'Joined in this order.'),
  'files.url': words('Address', 'Where this clip can be downloaded from.'),
  'files.duration': rarely('Seconds, if it is a picture'),
  'files.motion': choice(
    'Movement, if it is a picture',
    {
      none: 'None',
      'zoom-in': 'Closer',
      'zoom-out': 'Farther',
      'pan-left': 'To the left',
      'pan-right': 'To the right',
    },
    rare,
  ),
  'files.volume': rarely('Loudness', '1 is as loud as it is; 0.5 is half.'),
  'files.disableAudio': rarely('Without its sound'),
  'files.fit': choice('If its shape differs', fits, { unset: 'As for all', ...rare }),
  'files.removeSegments': { label: 'Parts to cut out of it', ...rare },
  'files.transition': rarely(
    'Transition into the next clip',
    'Both clips are shown at once, so the film becomes that much shorter.',
  ),
  ...transitionWords('files.transition'),
  background: rarely(
    'Picture of a sound',
    'A colour, or the address of a picture, for a file that is sound alone.',
  ),
  waveform: rarely('Wave of a sound', 'For a file that is sound alone.'),
  removeSilence: words('Cut the pauses', 'A little room stays around what is said.'),
  cutTransition: rarely(
    'Transition at each cut',
    'What is left fades into what follows instead of jumping.',
  ),
  ...transitionWords('cutTransition'),
  removeSegments: words(
    'Parts to cut out',
    'Drag along the strip below the picture, or enter the seconds.',
  ),
  'files.keepSegments': { label: 'Parts of it to keep', ...rare },
  keepSegments: rarely(
    'Parts to keep',
    'In place of parts to cut out: everything else is left out.',
  ),
  trim: rarely('Take off the ends'),
  'trim.start': words('From the start'),
  'trim.end': words('From the end'),
  speed: rarely('Speed', '2 is twice as fast; voices stay as high as they are.'),
  removeFillers: words('Cut um, uh and er', 'And sentences that start twice.'),
  removeText: words(
    'Words to cut',
    'One phrase per line. Each is cut wherever it is said; “#2” after it cuts only the second time.',
  ),
  keepText: rarely(
    'Keep only these words',
    'One phrase per line. Everything else is cut; nothing is cut if none of them is said.',
  ),
  removeSpeakers: rarely(
    'Cut what somebody says',
    'Names that you give below, or Speaker 1, Speaker 2 in the order in which they begin.',
  ),
  keepSpeakers: rarely('Keep only what somebody says', 'Names as above.'),
  analyzeOnly: rarely(
    'Only see what could be cut',
    'Makes no video: you get the words, and suggestions to choose from.',
  ),
  removeNoise: words('Take out background noise', 'Music stays.'),
  audio: rarely('Change how loud the film is'),
  'audio.volume': words('Loudness', '1 is as loud as it is; 0.5 is half.'),
  'audio.mute': words('Without its sound', 'Sounds that you add stay.'),
  'audio.replaceUrl': words(
    'Address of another sound',
    'It takes the place of the sound of the film, from its start to its end.',
  ),
  'audio.fadeIn': words('Fade in'),
  'audio.fadeOut': words('Fade out'),
  bleep: rarely(
    'Words to bleep',
    'One word or phrase per line. Each is covered in the sound, and written as ***; “damn*” covers every word that begins so.',
  ),
  bleepWith: choice(
    'Cover them with',
    { tone: 'A tone', silence: 'Silence' },
    { unset: 'A tone', ...rare },
  ),
  normalizeAudio: words('Even out the loudness', 'To −16 LUFS, as podcasts have it.'),
  aspectRatio: choice('Shape', { original: 'As it is' }),
  resizeMode: choice('What does not fit the shape', ways, {
    hint: 'The preview shows the middle where it will follow faces.',
  }),
  reframe: rarely(
    'Choose what is shown',
    'For stretches in which another place is better than the faces that were found.',
  ),
  'reframe.scenes': words('Stretches', 'One after the other.'),
  'reframe.scenes.mode': choice(
    'Show',
    { crop: 'A part', halves: 'Two people, one above the other', wide: 'All, with bars' },
    { unset: 'A part' },
  ),
  'reframe.scenes.x': words('Its middle, from the left', 'In pixels, or such as 30%.'),
  'reframe.scenes.y': words('Its middle, from the top', 'In pixels, or such as 50%.'),
  backgroundColor: words(
    'Colour of the bars',
    'Such as #101820; “blur” fills them with the blurred picture.',
  ),
  rotate: choice('Turn', { 0: 'No', 90: '90° right', 180: 'Upside down', 270: '90° left' }, rare),
  flip: choice(
    'Mirror',
    { horizontal: 'Left and right', vertical: 'Top and bottom', both: 'Both' },
    { unset: 'No', ...rare },
  ),
  crop: rarely('Keep only a part of the picture', 'In pixels, or such as 10%.'),
  color: rarely('Colours'),
  'color.brightness': words('Brightness', 'From -1 to 1.'),
  'color.contrast': words('Contrast', '1 leaves it as it is.'),
  'color.saturation': words('Saturation', '1 leaves it as it is, 0 is grey.'),
  'color.lutUrl': words('Address of a .cube file', 'A table of colours.'),
  stabilize: rarely(
    'Hold a shaky picture still',
    'It is enlarged a little, so that no border shows.',
  ),
  blurFaces: rarely('Blur faces', 'Every face of the film. Look at it before you publish it.'),
  fadeIn: rarely('Fade the film in', 'From a colour, at its start.'),
  fadeOut: rarely('Fade the film out', 'To a colour, at its end.'),
  elements: choice(
    'Overlays and sounds',
    {
      ...{ image: 'image', gif: 'GIF', video: 'clip', audio: 'sound', text: 'text' },
      blur: 'blurred part',
    },
    { hint: 'Logos, pictures, clips, texts and sounds. Drag them in the preview.' },
  ),
  captions: words('Put captions on the picture', 'What is said, word for word.'),
  ...captionFields,
  enableTranscription: words(
    'Write down what is said',
    'As text, and as caption files beside the video.',
  ),
  speakers: rarely('Tell who says what'),
  vocabulary: rarely(
    'Names to know',
    'One per line, spelled as it is to be written: people, places, products.',
  ),
  suggestClips: rarely('Suggest clips', 'Parts that are worth a film of their own.'),
  'suggestClips.count': words('How many', '5 if it is empty.'),
  'suggestClips.minDuration': words('Seconds at least'),
  'suggestClips.maxDuration': words('Seconds at most'),
  'suggestClips.about': words('About', 'Only parts that say one of these words.'),
  clips: choice(
    'Make the suggested clips',
    { suggested: 'All of them' },
    { hint: 'Each becomes a result of its own, beside those of “Several results”.', ...rare },
  ),
  chapters: rarely('Chapters', 'Where the subject changes, for players to list.'),
  enableAiAnalysis: words('Describe what is seen and said', 'Tags, a summary, a place.'),
  enableThumbnail: words('Make a still', 'A JPEG of a good moment.'),
  outputFormat: choice('Format', formats),
  compressionQuality: words('Quality', '100 looks like the original; less makes a smaller file.'),
  outputs: words(
    'Several results of this edit',
    'Such as a wide film, a tall one and an MP3. What you leave open is as above.',
  ),
  'outputs.name': words('Name', 'Letters, digits and hyphens: it ends the file name.'),
  'outputs.outputFormat': choice(
    'Format',
    {
      ...formats,
      ...{ mp3: 'MP3', m4a: 'M4A', wav: 'WAV', flac: 'FLAC', ogg: 'Opus' },
      ...{ gif: 'GIF', webp: 'WebP that moves', jpg: 'JPEG still', png: 'PNG still' },
      ...{ sprite: 'Small pictures for a player', hls: 'HLS stream' },
    },
    {
      hint: 'MP3, M4A, WAV, FLAC and Opus hold the sound alone; GIF, WebP, JPEG and PNG are pictures; HLS streams in several sizes.',
      unset: 'As above',
    },
  ),
  'outputs.aspectRatio': choice('Shape', { original: 'As it is' }, { unset: 'As above' }),
  'outputs.resizeMode': choice('What does not fit the shape', ways, { unset: 'As above', ...rare }),
  'outputs.backgroundColor': rarely('Colour of the bars'),
  'outputs.compressionQuality': rarely('Quality', 'As above if it is empty.'),
  'outputs.width': rarely('Width', 'In pixels; it follows from the height if empty.'),
  'outputs.height': rarely('Height', 'In pixels; it follows from the width if empty.'),
  'outputs.fps': rarely('Frames per second', 'As in the source if it is empty.'),
  'outputs.videoCodec': choice(
    'Codec',
    { h264: 'H.264', hevc: 'HEVC', vp9: 'VP9', av1: 'AV1' },
    {
      hint: 'HEVC, VP9 and AV1 need fewer bytes and more time; H.264 plays everywhere.',
      unset: 'The usual one',
      ...rare,
    },
  ),
  'outputs.maxBytes': rarely('At most this many bytes'),
  'outputs.maxBitrate': rarely('Highest bit rate', 'No second takes more.'),
  'outputs.heights': { isHidden: true },
  'outputs.clip': { isHidden: true },
  'outputs.startTime': rarely('Begins at', 'Second of the finished video; for a part of it.'),
  'outputs.duration': rarely('Lasts', 'Seconds; to the end if it is empty.'),
  'outputs.times': { isHidden: true },
  'outputs.interval': rarely(
    'Seconds between small pictures',
    'About 100 pictures if it is empty.',
  ),
  'outputs.captions': { isHidden: true },
  destinations: rarely(
    'Buckets of yours',
    'The results are delivered to them. Save a bucket under Storages first.',
  ),
  'destinations.storage': words('Storage', 'Its name, as under Storages.'),
  'destinations.key': rarely('Key', 'Where the file goes; {name} is that of the result.'),
  'destinations.outputs': { isHidden: true },
  'destinations.keep': rarely('Keep it here too'),
  split: rarely(
    'In parts, if it is long',
    'By all media workers that are free; it looks the same.',
  ),
  reuse: rarely(
    'Use a result that is the same',
    'If you have made exactly this before, it is there at once.',
  ),
  webhookUrl: technically('Address to tell when it ends', 'A webhook of yours.'),
  maxSeconds: rarely('Stop if it takes longer than', 'Seconds; it fails before anything is made.'),
  maxPrice: rarely('Stop if it costs more than', 'As a plan counts it.'),
  metadata: technically('Data of your own', 'Comes back with the video and in webhooks.'),
  ...elementWords,
}

export function plainWords(path: string): PlainWords {
  const [name = ''] = path.split('.').slice(-1)
  const end = path.split('.').slice(-2).join('.')
  return said[path] ?? saidEverywhere[end] ?? saidEverywhere[name] ?? {}
}
