const names: Readonly<Record<string, string>> = {
  codec_tag_string: 'its codec tag',
  extradata_hash: 'its parameter sets',
  width: 'its width',
  height: 'its height',
  pix_fmt: 'the form of its pixels',
  profile: 'its profile',
  level: 'its level',
  refs: 'the number of pictures it refers to',
  sample_aspect_ratio: 'the shape of its pixels',
  field_order: 'its fields',
  color_range: 'its range of colors',
  color_space: 'its colors',
  color_transfer: 'its colors',
  color_primaries: 'its colors',
  chroma_location: 'the place of its colors',
  has_b_frames: 'the order of its pictures',
  rotation: 'its rotation',
}

/** What people call a property of a stream that ffprobe shows. */
export function nameProperty(property: string): string {
  return names[property] ?? property
}
