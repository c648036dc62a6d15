/** How the form words a field. Anything absent here is worded as in the schema. */
export type PlainWords = {
  label?: string
  hint?: string
  /** The labels of the values. */
  values?: Readonly<Record<string, string>>
  /** A text of several lines. */
  isLong?: true
  /** The label for choosing nothing in a list. */
  unset?: string
  /** Folded away: most people never need it, or only those who write programs. */
  isRare?: true | 'developers'
  /** Not in the form; it can still be written as JSON. */
  isHidden?: true
}

export const rare = { isRare: true } as const

export function words(label: string, hint = ''): PlainWords {
  return { label, hint }
}

/** The words of a field with a few values. */
export function choice(
  label: string,
  values: Record<string, string>,
  more: Omit<PlainWords, 'label' | 'values'> = {},
): PlainWords {
  return { label, hint: '', values, ...more }
}

export function rarely(label: string, hint = ''): PlainWords {
  return { label, hint, ...rare }
}

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

/** The wording of the fields of elements, by path. */
export const elementWords: Readonly<Record<string, PlainWords>> = {
  'elements.url': words('File', 'The address where it can be downloaded.'),
  'elements.text': { label: 'Text', hint: '', isLong: true },
  'elements.timing': words('When', 'In seconds of the finished video.'),
  'elements.timing.entireVideo': words('The whole time'),
  'elements.position': words('Where'),
  'elements.position.anchor': choice('Place', places, { unset: 'Middle, or where you drag it' }),
  'elements.position.x': rarely('From the left', 'Such as 10%.'),
  'elements.position.y': rarely('From the top', 'Such as 10%.'),
  'elements.size': words('Size', 'As large as the file is, if both are empty.'),
  'elements.size.width': words('Width', 'Such as 25%, or pixels.'),
  'elements.size.height': words('Height', 'Such as 25%, or pixels.'),
  'elements.size.fit': choice(
    'If its shape differs',
    { contain: 'All of it is shown', cover: 'It is cropped' },
    rare,
  ),
  'elements.comment': rarely('Note to yourself'),
  'elements.zIndex': rarely('In front of others', 'The highest number is in front.'),
  'elements.effects': rarely('Fades, moves and sound'),
  'elements.effects.opacity': words('How solid', 'From 0, invisible, to 1.'),
  'elements.effects.fadeIn': words('Fade in'),
  'elements.effects.fadeOut': words('Fade out'),
  'elements.effects.volume': words('Loudness', '1 is as loud as the file; 0.5 is half.'),
  'elements.effects.duck': words('Quieter while somebody speaks'),
  'elements.loop': choice('Again and again', { true: 'Yes', false: 'Only once' }),
  'elements.clip': rarely(
    'Only during this clip',
    'The number of one of the files; its times then count from there.',
  ),
  'elements.rotation': rarely('Turn it', 'Degrees to the right.'),
  'elements.cornerRadius': rarely(
    'Round corners',
    'In pixels, or such as 20%; 50% of a square is a circle.',
  ),
  'elements.repeat': choice(
    'All over the picture',
    { tile: 'Side by side' },
    { unset: 'No, once', ...rare },
  ),
  'elements.crop': rarely('Show only a part of it', 'In pixels, or such as 10%.'),
  'elements.chromaKey': rarely('Take out a colour', 'Such as a green wall.'),
  'elements.chromaKey.color': words('Colour'),
  'elements.chromaKey.similarity': words('How far around it', 'From 0.01 to 1.'),
  'elements.style': choice('How it is hidden', { blur: 'Blurred', pixels: 'In large pixels' }),
  'elements.strength': words('How much', 'From 1 to 100.'),
  'elements.effects.enter': words('Move in'),
  'elements.effects.enter.type': choice('How', movesIn),
  'elements.effects.exit': words('Move out'),
  'elements.effects.exit.type': choice('How', movesOut),
  'elements.font': rarely('Font'),
  'elements.fontSize': words('Size of the letters', 'Of the height, or in pixels.'),
  'elements.color': words('Colour of the letters'),
  'elements.background': words('Colour behind the letters', 'None if it is empty.'),
  'elements.align': choice('Lines begin', {
    left: 'Left',
    center: 'In the middle',
    right: 'Right',
  }),
  'elements.outline': rarely('Line around the letters'),
  'elements.outline.color': words('Colour', 'Black or white, if it is empty.'),
  'elements.outline.width': words('Width', 'Of the letters, or in pixels.'),
  'elements.shadow': rarely('Shadow'),
  'elements.shadow.color': words('Colour'),
  'elements.shadow.distance': words('Distance', 'Of the letters, or in pixels.'),
  'elements.shadow.blur': words('Softness', 'Of the letters, or in pixels.'),
  'elements.padding': rarely('Room around the text', 'Of the letters, or in pixels.'),
  'elements.lineHeight': rarely('Height of a line'),
}
