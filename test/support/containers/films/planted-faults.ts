import type { Spoiling } from '../faulty-ffmpeg.ts'

const x264 = '-c:v libx264 -preset ultrafast -crf 20 -pix_fmt yuv420p -g 50'
const picture = (filter: string): Spoiling => `spoil -vf "${filter}" ${x264} -c:a copy`
const sound = (filter: string, more = ''): Spoiling =>
  `spoil -c:v copy -af "${filter}" ${more} -c:a aac -b:a 128k`
const tags = (change: string): Spoiling => `spoil -c copy -bsf:v h264_metadata=${change}`
const overwrite = (bytes: string, count: number): Spoiling =>
  `size=$(stat -c %s $made); ${bytes} | dd of=$made bs=1 count=${count} seek=$((size / 2)) conv=notrunc 2>/dev/null`

export type PlantedFault = {
  /** The film that is asked for. */
  readonly of: 'plain' | 'loud' | 'captioned' | 'cut' | 'joined' | 'faster'
  readonly how: Spoiling
  /** The check that finds it, and what becomes of a film in which it is found a second time. */
  readonly check: string
  readonly ends: 'failed' | 'warned'
}

function planted(
  of: PlantedFault['of'],
  [check, ends]: readonly [string, PlantedFault['ends']],
  how: Spoiling,
): PlantedFault {
  return { of, check, ends, how }
}

const black = (from: number, to: number): Spoiling =>
  picture(`drawbox=t=fill:c=black:enable='between(t,${from},${to})'`)
const silent = (from: number, to: number): Spoiling =>
  sound(`volume=0:enable='between(t,${from},${to})'`)
const late = sound('adelay=250:all=1,atrim=end=3.5')
const asOther = picture(
  'scale=in_range=limited:out_range=full,format=yuv420p,setparams=range=limited',
)

/** The first ones are typical of all. */
export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  'the last second is missing': planted('plain', ['length', 'failed'], 'spoil -t 2 -c copy'),
  'a second is black': planted('plain', ['black', 'warned'], black(1.2, 2.2)),
  'the sound comes 250 ms late': planted('plain', ['sync', 'warned'], late),
  'captions are not drawn': planted(
    'captioned',
    ['captions', 'warned'],
    picture('crop=iw:ih*0.6:0:0,scale=320:180,setsar=1'),
  ),
  'a second is shown twice': planted(
    'plain',
    ['length', 'failed'],
    `spoil -filter_complex "[0:v]split[a][b];[a]trim=end=2[c];[b]trim=start=1,setpts=PTS-STARTPTS[d];[c][d]concat[v]" -map "[v]" -map 0:a ${x264} -c:a copy`,
  ),
  'every fifth picture is missing': planted('plain', ['length', 'failed'], picture('fps=20')),
  'one picture is missing and leaves a gap': planted(
    'plain',
    ['seams', 'failed'],
    `spoil -fps_mode passthrough -vf "select='not(eq(n,40))'" ${x264} -c:a copy`,
  ),
  'all is black': planted('plain', ['black', 'failed'], picture('drawbox=t=fill:c=black')),
  'the picture stands still for 1.5 s': planted(
    'plain',
    ['frozen', 'warned'],
    picture('loop=loop=37:size=1:start=30,setpts=N/25/TB,trim=end_frame=87'),
  ),
  'the picture comes late': planted(
    'plain',
    ['sync', 'warned'],
    `spoil -vf "tpad=start_duration=0.28:start_mode=clone,trim=end=3.5" ${x264} -c:a copy`,
  ),
  'a second is silent': planted('plain', ['silence', 'warned'], silent(1, 2)),
  'all is silent': planted('plain', ['silence', 'failed'], sound('volume=0')),
  'the sound is missing': planted('plain', ['length', 'failed'], 'spoil -an -c:v copy'),
  'the sound is 6 dB too loud': planted('plain', ['loudness', 'warned'], sound('volume=6dB')),
  'the loudness is not as asked': planted('loud', ['loudness', 'warned'], sound('volume=-6dB')),
  'the peaks are above what was asked': planted(
    'loud',
    ['loudness', 'warned'],
    sound('volume=18dB,volume=-1dB'),
  ),
  'the sound comes early': planted(
    'plain',
    ['sync', 'warned'],
    sound('atrim=start=0.25,asetpts=PTS-STARTPTS,apad=whole_dur=3.5'),
  ),
  'the sound drifts': planted('plain', ['sync', 'warned'], sound('atempo=0.93,atrim=end=3.5')),
  'the sound ends too soon': planted('plain', ['sync', 'warned'], sound('atrim=end=2.5')),
  'the sides of the sound are exchanged': planted(
    'plain',
    ['channels', 'warned'],
    sound('pan=stereo|c0=c1|c1=c0'),
  ),
  'one side of the sound is lost': planted(
    'plain',
    ['channels', 'warned'],
    sound('pan=stereo|c0=c0|c1=0*c1'),
  ),
  'its pictures are smaller': planted('plain', ['size', 'failed'], picture('scale=iw/2:ih/2')),
  'its pixels are not square': planted('plain', ['size', 'failed'], picture('setsar=4/3')),
  'players turn it': planted(
    'plain',
    ['size', 'failed'],
    'spoil -c copy -metadata:s:v:0 rotate=90',
  ),
  'the range is told wrongly': planted(
    'plain',
    ['colors', 'failed'],
    tags('video_full_range_flag=1'),
  ),
  'the colours have another range than is told': planted('plain', ['colors', 'warned'], asOther),
  'the matrix is told wrongly': planted(
    'plain',
    ['colors', 'failed'],
    tags('matrix_coefficients=9'),
  ),
  'it says that it is HDR': planted(
    'plain',
    ['colors', 'failed'],
    tags('transfer_characteristics=16'),
  ),
  'its pictures have four times the colours': planted(
    'plain',
    ['colors', 'failed'],
    'spoil -c:a copy -c:v libx264 -preset ultrafast -pix_fmt yuv444p',
  ),
  'the index stands at the end': planted(
    'plain',
    ['playback', 'failed'],
    '$real -v error -y -i $made -c copy t.mp4 && mv t.mp4 $made',
  ),
  'its codec is another': planted(
    'plain',
    ['playback', 'failed'],
    'spoil -c:a copy -c:v mpeg4 -q:v 3',
  ),
  'its level is beyond all players': planted('plain', ['playback', 'failed'], tags('level=62')),
  'packets are damaged': planted('plain', ['decoding', 'failed'], overwrite('seq 1 9999', 4_000)),
  'packets are empty': planted('plain', ['decoding', 'failed'], overwrite('cat /dev/zero', 4_000)),
  'captions lie elsewhere': planted(
    'captioned',
    ['captions', 'warned'],
    picture('scroll=vpos=0.2'),
  ),
  'a cut film goes on with the wrong picture': planted(
    'cut',
    ['sync', 'warned'],
    picture("select='not(between(n,30,37))',setpts=N/25/TB,tpad=stop=8:stop_mode=clone"),
  ),
  'the sound of a cut film comes late': planted('cut', ['sync', 'warned'], late),
  'a clip of several is silent': planted('joined', ['silence', 'warned'], silent(4.5, 5.5)),
  'the sound of several clips comes late': planted(
    'joined',
    ['sync', 'warned'],
    sound('adelay=250:all=1,atrim=end=8'),
  ),
  'a faster film is silent for a while': planted('faster', ['silence', 'warned'], silent(1, 1.8)),
}
