import type { Spoiling } from '../faulty-ffmpeg.ts'
import { aLivelyVideo } from './checked-film.ts'

const x264 = '-c:v libx264 -preset ultrafast -crf 20 -pix_fmt yuv420p -g 50'
const picture = (filter: string): Spoiling => `spoil -vf "${filter}" ${x264} -c:a copy`
const sound = (filter: string): Spoiling => `spoil -c:v copy -af "${filter}" -c:a aac -b:a 128k`
const tags = (change: string): Spoiling => `spoil -c copy -bsf:v h264_metadata=${change}`
const overwrite = (bytes: string): Spoiling =>
  `size=$(stat -c %s $made); ${bytes} | dd of=$made bs=1 count=4000 seek=$((size / 2)) conv=notrunc 2>/dev/null`

const text = [
  'WEBVTT\n\n00:00:00.200 --> 00:00:01.200\nThe first words\n',
  '00:00:01.400 --> 00:00:02.400\nWords in the middle\n',
].join('\n')
const label = {
  ...{ type: 'text', text: 'LABEL', background: '#ffcc00' },
  position: { anchor: 'center' },
}

/** The films that are asked for. */
export const spoiltOptions = {
  plain: { trim: { start: 0.5 }, compressionQuality: 80 },
  loud: { normalizeAudio: true, compressionQuality: 80 },
  captioned: { captions: { source: { text } } },
  marked: { elements: [label] },
  cut: { removeSegments: [{ startTime: 1, endTime: 1.4 }], compressionQuality: 80 },
  joined: { combine: true, compressionQuality: 80 },
  faster: { speed: 1.25 },
  // A film that nothing changes would be replaced by a copy of its source.
  dark: { flip: 'vertical', compressionQuality: 80 },
} as const satisfies Record<string, Record<string, unknown>>

export async function sourcesToSpoil(of: PlantedFault['of']): Promise<string[]> {
  if (of === 'dark')
    return [await aLivelyVideo(4, ['-vf', "drawbox=t=fill:c=black:enable='lt(t,0.6)'"])]
  const file = await aLivelyVideo()
  return of === 'joined' ? [file, await aLivelyVideo(4, ['-vf', 'hflip,negate'])] : [file]
}

export type PlantedFault = {
  /** The film that is asked for. */
  readonly of: keyof typeof spoiltOptions
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

const joinedOtherwise =
  '[0:v]split[a][b];[a]trim=start=4,setpts=PTS-STARTPTS[c];[b]trim=end=4[d];[c][d]concat'

const backwards = [
  '[0:v]split=3[a][b][c]',
  '[a]trim=end_frame=30,setpts=PTS-STARTPTS[d]',
  '[b]trim=start_frame=30:end_frame=55,reverse,setpts=PTS-STARTPTS[e]',
  '[c]trim=start_frame=55,setpts=PTS-STARTPTS[f]',
  '[d][e][f]concat=n=3',
].join(';')

/** The first ones are typical of all, and of one film. */
export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  'the last second is missing': planted('plain', ['length', 'failed'], 'spoil -t 2 -c copy'),
  'a second is black': planted('plain', ['black', 'warned'], black(1.2, 2.2)),
  'the sound goes on for a second behind the picture': planted(
    'plain',
    ['length', 'failed'],
    sound('apad=pad_dur=1'),
  ),
  'the sound comes 250 ms late': planted('plain', ['sync', 'warned'], late),
  'it is mirrored': planted('plain', ['pictures', 'failed'], picture('hflip')),
  'it is upside down': planted('plain', ['pictures', 'failed'], picture('hflip,vflip')),
  'its colours are lost': planted('plain', ['pictures', 'failed'], picture('hue=s=0')),
  'its colours are exchanged': planted(
    'plain',
    ['pictures', 'failed'],
    picture('shuffleplanes=0:2:1'),
  ),
  'it is cut out at another place': planted(
    'plain',
    ['pictures', 'failed'],
    picture('crop=iw*0.7:ih*0.7:0:0,scale=320:180,setsar=1'),
  ),
  'it is brighter': planted('plain', ['pictures', 'warned'], picture('eq=brightness=0.12')),
  'every second picture comes twice': planted(
    'plain',
    ['pictures', 'warned'],
    picture('fps=12.5,fps=25,trim=end_frame=88'),
  ),
  'it runs too slowly': planted(
    'plain',
    ['pictures', 'warned'],
    picture('setpts=1.2*PTS,fps=25,trim=end=3.5'),
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
  'it has another sound': planted(
    'plain',
    ['sync', 'warned'],
    sound(
      "aeval='0.3*sin(700*t)|0.3*sin(900*t)':c=same,volume='0.2+0.8*gt(mod(t,0.9),0.5)':eval=frame",
    ),
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
  'packets are damaged': planted('plain', ['decoding', 'failed'], overwrite('seq 1 9999')),
  'packets are empty': planted('plain', ['decoding', 'failed'], overwrite('cat /dev/zero')),
  'captions are not drawn': planted(
    'captioned',
    ['captions', 'warned'],
    picture('delogo=x=10:y=125:w=300:h=53'),
  ),
  'captions lie elsewhere': planted(
    'captioned',
    ['captions', 'warned'],
    picture(
      'split[a][b];[b]crop=300:50:10:126[c];[a]delogo=x=10:y=125:w=300:h=53[d];[d][c]overlay=10:4',
    ),
  ),
  'a cut film goes on with the wrong picture': planted(
    'cut',
    ['sync', 'warned'],
    picture("select='not(between(n,30,37))',setpts=N/25/TB,tpad=stop=8:stop_mode=clone"),
  ),
  'a picture at a cut is black': planted(
    'cut',
    ['pictures', 'warned'],
    picture("drawbox=t=fill:c=black:enable='eq(n,25)'"),
  ),
  'the sound of a cut film comes late': planted('cut', ['sync', 'warned'], late),
  'a clip of several is silent': planted('joined', ['silence', 'warned'], silent(4.5, 5.5)),
  'the sound of several clips comes late': planted(
    'joined',
    ['sync', 'warned'],
    sound('adelay=250:all=1,atrim=end=8'),
  ),
  'an element is missing': planted(
    'marked',
    ['pictures', 'warned'],
    picture('delogo=x=110:y=65:w=100:h=50'),
  ),
  'an element lies elsewhere': planted(
    'marked',
    ['pictures', 'warned'],
    picture(
      'split[a][b];[b]crop=80:40:120:70[c];[a]delogo=x=110:y=65:w=100:h=50[d];[d][c]overlay=20:20',
    ),
  ),
  'clips follow each other in another order': planted(
    'joined',
    ['pictures', 'failed'],
    `spoil -filter_complex "${joinedOtherwise}[v]" -map "[v]" -map 0:a ${x264} -c:a copy`,
  ),
  'a faster film is silent for a while': planted('faster', ['silence', 'warned'], silent(1, 1.8)),
  'every tenth picture comes twice': planted(
    'plain',
    ['pictures', 'warned'],
    `spoil -vf "select='not(eq(mod(n,10),9))',fps=25" -c:v libx264 -preset veryfast -crf 22 -c:a copy`,
  ),
  'a film has a half of its details': planted(
    'plain',
    ['pictures', 'warned'],
    picture('scale=iw/2:ih/2,scale=320:180'),
  ),
  'a film is blurred': planted('plain', ['pictures', 'warned'], picture('gblur=sigma=3')),
  'a film is a little blurred': planted(
    'plain',
    ['pictures', 'warned'],
    picture('gblur=sigma=1.5'),
  ),
  'a film is sharpened': planted('plain', ['pictures', 'warned'], picture('unsharp=5:5:1.5')),
  'its colours are weaker': planted('plain', ['pictures', 'warned'], picture('eq=saturation=0.6')),
  'its colours have another tint': planted('plain', ['pictures', 'warned'], picture('hue=h=15')),
  'each picture is mixed with the next': planted(
    'plain',
    ['pictures', 'warned'],
    picture('tmix=frames=2'),
  ),
  'a badge is seen for a second': planted(
    'plain',
    ['pictures', 'warned'],
    picture("drawbox=x=20:y=16:w=32:h=16:c=red:t=fill:enable='between(t,2.1,3.1)'"),
  ),
  'a second is shown backwards': planted(
    'plain',
    ['pictures', 'warned'],
    `spoil -filter_complex "${backwards}[v]" -map "[v]" -map 0:a ${x264} -c:a copy`,
  ),
  'the picture stands still for half a second': planted(
    'plain',
    ['pictures', 'warned'],
    `spoil -filter_complex "[0:v]split[a][b];[a][b]freezeframes=first=21:last=32:replace=20[v]" -map "[v]" -map 0:a ${x264} -c:a copy`,
  ),
  'its pictures come a thousandth too slowly': planted(
    'plain',
    ['seams', 'failed'],
    `spoil -vf "setpts=1.001*PTS" -r 24.975 ${x264} -c:a copy`,
  ),
  'it is stored far more coarsely': planted(
    'plain',
    ['pictures', 'warned'],
    'spoil -c:v libx264 -crf 45 -pix_fmt yuv420p -g 50 -c:a copy',
  ),
  'a picture is green': planted(
    'plain',
    ['pictures', 'warned'],
    `spoil -vf "drawbox=t=fill:c=green:enable='eq(n,40)'" -c:v libx264 -preset veryfast -crf 22 -c:a copy`,
  ),
  'its sound crackles': planted(
    'plain',
    ['sync', 'warned'],
    sound("aeval='val(0)+between(t,2,2.01)*(random(0)-0.5)|val(1)':c=same"),
  ),
  'it is mirrored behind a black beginning': planted(
    'dark',
    ['pictures', 'failed'],
    picture('hflip'),
  ),
  'a film is a little too large': planted(
    'plain',
    ['pictures', 'warned'],
    picture('crop=iw-8:ih-4,scale=320:180,setsar=1'),
  ),
}
