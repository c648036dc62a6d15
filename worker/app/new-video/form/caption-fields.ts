import { rare, type PlainWords } from './element-words.ts'

/** What the form says about the fields of `captions`. */
export const captionFields: Readonly<Record<string, PlainWords>> = {
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
  'captions.translateTo': {
    label: 'Translate them into',
    hint: 'One code per line, such as es. It needs a provider that translates.',
    ...rare,
  },
  'captions.glossary': {
    label: 'Terms in translations',
    hint: 'What is said, and what it becomes, such as launch = lanzamiento; a term alone stays as it is.',
    ...rare,
  },
  'captions.burnLanguage': {
    label: 'Draw this translation',
    hint: 'One of the codes above; otherwise what is said is drawn.',
    ...rare,
  },
  'captions.font': { label: 'Font', hint: '', ...rare },
  'captions.size': { label: 'Size', ...rare },
  'captions.color': { label: 'Colour of the letters', hint: '', ...rare },
  'captions.highlight': { label: 'Colour of the word being said', hint: '', ...rare },
  'captions.background': { label: 'Colour of the box', hint: '', ...rare },
  'captions.colorBySpeaker': { label: 'Another colour for each speaker', hint: '', ...rare },
  'captions.maxLines': { label: 'Lines at once, at most', hint: '', ...rare },
  'captions.uppercase': { label: 'In capitals', hint: '', ...rare },
}
