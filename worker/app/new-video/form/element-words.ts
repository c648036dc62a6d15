/** How the form speaks of a field. What is not said here is said as the schema says it. */
export type PlainWords = {
  label?: string
  hint?: string
  /** What the values are called. */
  values?: Readonly<Record<string, string>>
  /** A text of several lines. */
  isLong?: true
  /** What it means that nothing of a list is chosen. */
  unset?: string
  /** Folded away: most people never need it, or only those who write programs. */
  isRare?: true | 'developers'
  /** Not in the form; it can be written in the JSON. */
  isHidden?: true
}

export const rare = { isRare: true } as const

const places = {
  center: 'Middle',
  'top-left': 'Top left',
  'top-center': 'Top',
  'top-right': 'Top right',
  'center-left': 'Left',
  'center-right': 'Right',
  'bottom-left': 'Bottom left',
  'bottom-center': 'Bottom',
  'bottom-right': 'Bottom right',
}

export const easing = {
  label: 'How it goes',
  hint: '',
  values: {
    linear: 'Evenly',
    'ease-in': 'Slowly at first',
    'ease-out': 'Slowly at the end',
    'ease-in-out': 'Slowly at both ends',
  },
}

const movesIn = {
  'from-left': 'From the left',
  'from-right': 'From the right',
  'from-top': 'From above',
  'from-bottom': 'From below',
  zoom: 'It grows',
}

const movesOut = {
  'from-left': 'To the left',
  'from-right': 'To the right',
  'from-top': 'Upwards',
  'from-bottom': 'Downwards',
  zoom: 'It shrinks',
}

/** What is said of the fields of elements, by their path. */
export const elementWords: Readonly<Record<string, PlainWords>> = {
  'elements.url': { label: 'File', hint: 'The address where it can be downloaded.' },
  'elements.text': { label: 'Text', hint: '', isLong: true },
  'elements.timing': { label: 'When', hint: 'In seconds of the finished video.' },
  'elements.timing.startTime': { label: 'From', hint: '' },
  'elements.timing.endTime': { label: 'To', hint: '' },
  'elements.timing.entireVideo': { label: 'The whole time', hint: '' },
  'elements.position': { label: 'Where', hint: '' },
  'elements.position.anchor': {
    label: 'Place',
    hint: '',
    values: places,
    unset: 'Middle, or where you drag it',
  },
  'elements.position.x': { label: 'From the left', hint: 'Such as 10%.', ...rare },
  'elements.position.y': { label: 'From the top', hint: 'Such as 10%.', ...rare },
  'elements.size': { label: 'Size', hint: 'As large as the file is, if both are empty.' },
  'elements.size.width': { label: 'Width', hint: 'Such as 25%, or pixels.' },
  'elements.size.height': { label: 'Height', hint: 'Such as 25%, or pixels.' },
  'elements.size.fit': {
    label: 'If its shape differs',
    hint: '',
    values: { contain: 'All of it is shown', cover: 'It is cropped' },
    ...rare,
  },
  'elements.comment': { label: 'Note to yourself', hint: '', ...rare },
  'elements.zIndex': {
    label: 'In front of others',
    hint: 'The highest number is in front.',
    ...rare,
  },
  'elements.effects': { label: 'Fades, moves and sound', hint: '', ...rare },
  'elements.effects.opacity': { label: 'How solid', hint: 'From 0, invisible, to 1.' },
  'elements.effects.fadeIn': { label: 'Fade in', hint: '' },
  'elements.effects.fadeIn.duration': { label: 'For', hint: '' },
  'elements.effects.fadeIn.easing': easing,
  'elements.effects.fadeOut': { label: 'Fade out', hint: '' },
  'elements.effects.fadeOut.duration': { label: 'For', hint: '' },
  'elements.effects.fadeOut.easing': easing,
  'elements.effects.volume': { label: 'Loudness', hint: '1 is as loud as the file; 0.5 is half.' },
  'elements.effects.duck': { label: 'Quieter while somebody speaks', hint: '' },
  'elements.loop': {
    label: 'Again and again',
    hint: '',
    values: { true: 'Yes', false: 'Only once' },
  },
  'elements.clip': {
    label: 'Only during this clip',
    hint: 'The number of one of the files; its times then count from there.',
    ...rare,
  },
  'elements.rotation': { label: 'Turn it', hint: 'Degrees to the right.', ...rare },
  'elements.cornerRadius': {
    label: 'Round corners',
    hint: 'In pixels, or such as 20%; 50% of a square is a circle.',
    ...rare,
  },
  'elements.repeat': {
    label: 'All over the picture',
    hint: '',
    values: { tile: 'Side by side' },
    unset: 'No, once',
    ...rare,
  },
  'elements.crop': { label: 'Show only a part of it', hint: 'In pixels, or such as 10%.', ...rare },
  'elements.crop.x': { label: 'From the left', hint: '' },
  'elements.crop.y': { label: 'From the top', hint: '' },
  'elements.crop.width': { label: 'Width', hint: 'Up to the right edge if it is empty.' },
  'elements.crop.height': { label: 'Height', hint: 'Up to the bottom edge if it is empty.' },
  'elements.chromaKey': { label: 'Take out a colour', hint: 'Such as a green wall.', ...rare },
  'elements.chromaKey.color': { label: 'Colour', hint: '' },
  'elements.chromaKey.similarity': { label: 'How far around it', hint: 'From 0.01 to 1.' },
  'elements.style': {
    label: 'How it is hidden',
    hint: '',
    values: { blur: 'Blurred', pixels: 'In large pixels' },
  },
  'elements.strength': { label: 'How much', hint: 'From 1 to 100.' },
  'elements.effects.enter': { label: 'Move in', hint: '' },
  'elements.effects.enter.type': { label: 'How', hint: '', values: movesIn },
  'elements.effects.enter.duration': { label: 'For', hint: '' },
  'elements.effects.enter.easing': easing,
  'elements.effects.exit': { label: 'Move out', hint: '' },
  'elements.effects.exit.type': { label: 'How', hint: '', values: movesOut },
  'elements.effects.exit.duration': { label: 'For', hint: '' },
  'elements.effects.exit.easing': easing,
  'elements.font': { label: 'Font', hint: '', ...rare },
  'elements.fontSize': { label: 'Size of the letters', hint: 'Of the height, or in pixels.' },
  'elements.color': { label: 'Colour of the letters', hint: '' },
  'elements.background': { label: 'Colour behind the letters', hint: 'None if it is empty.' },
  'elements.align': {
    label: 'Lines begin',
    hint: '',
    values: { left: 'Left', center: 'In the middle', right: 'Right' },
  },
  'elements.outline': { label: 'Line around the letters', hint: '', ...rare },
  'elements.outline.color': { label: 'Colour', hint: 'Black or white, if it is empty.' },
  'elements.outline.width': { label: 'Width', hint: 'Of the letters, or in pixels.' },
  'elements.shadow': { label: 'Shadow', hint: '', ...rare },
  'elements.shadow.color': { label: 'Colour', hint: '' },
  'elements.shadow.distance': { label: 'Distance', hint: 'Of the letters, or in pixels.' },
  'elements.shadow.blur': { label: 'Softness', hint: 'Of the letters, or in pixels.' },
  'elements.padding': {
    label: 'Room around the text',
    hint: 'Of the letters, or in pixels.',
    ...rare,
  },
  'elements.lineHeight': { label: 'Height of a line', hint: '', ...rare },
}
