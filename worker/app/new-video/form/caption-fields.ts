import { choice, rare, rarely, type PlainWords } from './element-words.ts'

/** What the form says about the fields of `captions`. */
export const captionFields: Readonly<Record<string, PlainWords>> = {
  'captions.style': choice('How they look', {
    plain: 'Outlined',
    box: 'On a box',
    karaoke: 'Word by word',
  }),
  'captions.position': choice(
    'Where',
    { bottom: 'Bottom', middle: 'Middle', top: 'Top' },
    { hint: 'Drag them up and down in the preview, or focus them there and use the arrow keys.' },
  ),
  'captions.burn': { isHidden: true },
  'captions.embed': rarely('As a track that players can show or hide, not on the picture'),
  'captions.source': { label: 'Captions of your own', ...rare },
  'captions.source.words': { isHidden: true },
  'captions.source.text': { label: 'Text of an SRT or VTT file', hint: '', isLong: true },
  'captions.language': rarely('Language', 'A code such as en; otherwise it is heard.'),
  'captions.translateTo': rarely(
    'Translate them into',
    'One code per line, such as es. It needs a provider that translates.',
  ),
  'captions.glossary': rarely(
    'Terms in translations',
    'What is said, and what it becomes, such as launch = lanzamiento; a term alone stays as it is.',
  ),
  'captions.burnLanguage': rarely(
    'Draw this translation',
    'One of the codes above; otherwise what is said is drawn.',
  ),
  'captions.font': rarely('Font'),
  'captions.size': { label: 'Size', ...rare },
  'captions.color': rarely('Colour of the letters'),
  'captions.highlight': rarely('Colour of the word being said'),
  'captions.background': rarely('Colour of the box'),
  'captions.colorBySpeaker': rarely('Another colour for each speaker'),
  'captions.maxLines': rarely('Lines at once, at most'),
  'captions.uppercase': rarely('In capitals'),
}
