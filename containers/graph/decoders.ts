/** Codecs that cameras, phones, editors and screen recorders have written into these containers. */
const videoDecoders = [
  ...['h264', 'hevc', 'libdav1d', 'av1', 'libaom-av1', 'vp8', 'libvpx', 'vp9', 'libvpx-vp9'],
  ...['mpeg4', 'mpeg1video', 'mpeg2video', 'mpegvideo', 'h261', 'h263', 'h263i', 'h263p', 'flv'],
  ...['msmpeg4v1', 'msmpeg4v2', 'msmpeg4', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'vp6', 'vp6a', 'vp6f'],
  ...['vp3', 'theora', 'dirac', 'svq1', 'svq3', 'cinepak', 'indeo3', 'indeo5', 'msvideo1', 'msrle'],
  ...['prores', 'dnxhd', 'cfhd', 'dvvideo', 'mjpeg', 'mjpegb', 'jpeg2000', 'libopenjpeg', 'hap'],
  ...['ffv1', 'ffvhuff', 'huffyuv', 'utvideo', 'magicyuv', 'lagarith', 'zlib', 'qtrle', 'rpza'],
  ...['rawvideo', 'v210', 'v210x', 'v308', 'v408', 'v410', 'r210', 'r10k', 'ayuv', 'yuv4', 'y41p'],
  ...['camtasia', 'tscc2', 'fraps', 'flashsv', 'zmbv', 'smc', '8bps', 'png', 'gif', 'tiff'],
]

const soundDecoders = [
  ...['aac', 'aac_fixed', 'aac_latm', 'mp3float', 'mp3', 'mp2float', 'mp2', 'mp1float', 'mp1'],
  ...['ac3', 'ac3_fixed', 'eac3', 'dca', 'truehd', 'mlp', 'opus', 'libopus', 'vorbis', 'libvorbis'],
  ...['flac', 'alac', 'wavpack', 'tta', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb'],
  ...['wmav1', 'wmav2', 'wmapro', 'wmalossless', 'qdm2', 'qdmc', 'qcelp', 'evrc', 'gsm', 'gsm_ms'],
  ...['speex', 'libspeex', 'mace3', 'mace6', 'nellymoser', 'truespeech'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'g726'],
  ...['pcm_alaw', 'pcm_mulaw', 'pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le'],
  ...['pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
]

/** ffprobe gives up on a file with a stream that it may not decode, although nobody asks for its text. */
const captionDecoders = ['mov_text', 'webvtt']

const pictures = ['png', 'mjpeg', 'gif']

/** By demuxer; all other demuxers open videos. */
const narrower: Readonly<Record<string, readonly string[]>> = {
  png_pipe: ['png'],
  jpeg_pipe: ['mjpeg'],
  gif: ['gif'],
  webp_pipe: ['webp'],
  // MP3 and WAV files may hold a cover image.
  mp3: ['mp3float', 'mp3', ...pictures],
  wav: [...soundDecoders, ...pictures],
  flac: ['flac', ...pictures],
  f32le: ['pcm_f32le'],
  rawvideo: ['rawvideo'],
  webvtt: ['webvtt'],
}

/**
 * The decoders that a file may use, about half of those in ffmpeg. The rest are for games, calls and old screen
 * formats: code that hardly anybody runs or checks.
 */
export function decodersOf(demuxer: string): readonly string[] {
  return narrower[demuxer] ?? [...videoDecoders, ...soundDecoders, ...captionDecoders]
}
