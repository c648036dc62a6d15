/**
 * Fields of other services for which no field here is just another name, and what does the same here: in lower case, letters
 * and digits only. Words that stand for one of our fields are in `other-names.ts`.
 */
const table: readonly [words: string, instead: string][] = [
  // The picture.
  [
    'width height size scale resolution videosize framesize outputsize maxwidth maxheight videowidth videoheight w h',
    'aspectRatio sets the shape, such as "9:16"; an entry of outputs has an exact size, such as {"name": "web", "width": 1280}',
  ],
  [
    'crop cropping smartcrop autocrop autoreframe facetracking gravity focus zoom',
    'crop keeps a rectangle, such as {"x": "10%", "width": "80%"}; aspectRatio with resizeMode "cover" crops to a shape, with "follow" around faces',
  ],
  [
    'vertical portrait isvertical verticalvideo reels tiktok landscape horizontal square',
    'aspectRatio sets the shape: "9:16" is vertical, "1:1" square, "16:9" wide',
  ],
  [
    'flip mirror hflip vflip fliphorizontal flipvertical',
    'flip mirrors the picture: "horizontal", "vertical" or "both"',
  ],
  [
    'fps framerate framespersecond maxframerate',
    'an entry of outputs sets the pictures a second, such as {"name": "web", "fps": 25}',
  ],
  [
    'blur mosaic pixelate censorarea',
    'elements of the type "blur" hide a rectangle, such as {"type": "blur", "size": {"width": "20%", "height": "20%"}}',
  ],
  [
    'chromakey greenscreen colorkey backgroundremoval removebackground',
    'elements have chromaKey, such as {"color": "#00ff00"}; the background of the film itself stays',
  ],
  [
    'brightness contrast saturation lut luturl colorgrade colorgrading grayscale blackandwhite',
    'color changes the colours, such as {"contrast": 1.1, "saturation": 0}; its lutUrl takes a .cube file',
  ],
  [
    'stabilization stabilisation stabilise vidstab deshake',
    'stabilize: true holds a shaky picture still',
  ],
  [
    'filter filters videofilter vf gamma hue sharpen upscale',
    'there is no option for sharpening, other filters and the like',
  ],
  [
    'transition transitions crossfade',
    'each clip in files takes a transition into the next one, and cutTransition is for every cut',
  ],
  // The file.
  [
    'codec codecs videocodec audiocodec vcodec acodec encoder encoding bitrate videobitrate audiobitrate maxbitrate crf qp gop pixelformat pixfmt samplerate audiochannels',
    'compressionQuality from 1 to 100 and outputFormat decide how the result is encoded; an entry of outputs has videoCodec and maxBitrate',
  ],
  [
    'maxbytes maxsize maxfilesize targetsize targetfilesize filesizelimit',
    'an entry of outputs has maxBytes, such as {"name": "web", "maxBytes": 8000000}; compressionQuality makes every file smaller',
  ],
  [
    'gif animatedgif',
    'an entry of outputs makes one, such as {"name": "preview", "outputFormat": "gif"}',
  ],
  [
    'hls heights streaming stream adaptive',
    'an entry of outputs makes a stream, such as {"name": "stream", "outputFormat": "hls"}',
  ],
  [
    'dash renditions playbackpolicy playbackpolicies mp4support formats outputformats resolutions variants',
    'outputs makes several results of one edit, such as [{"name": "web"}, {"name": "phone", "aspectRatio": "9:16"}]',
  ],
  [
    'thumbnailtime thumbnailat thumbnailtimestamp thumbnailtimestamppct postertime thumbnailcount screenshots times',
    'enableThumbnail makes one still, and chooses its moment; an entry of outputs in jpg shows the times that it names',
  ],
  [
    'sprite spritesheet sprites storyboard interval',
    'an entry of outputs makes pictures for the time line of a player, such as {"name": "line", "outputFormat": "sprite", "interval": 2}',
  ],
  [
    'audioonly onlyaudio extractaudio mp3',
    'an entry of outputs is the sound alone, such as {"name": "sound", "outputFormat": "mp3"}',
  ],
  // Time.
  [
    'start end starttime endtime startoffset endoffset trimstart trimend trimbefore trimafter trimstarttime trimendtime clip clipstart clipend clipping inpoint outpoint ss duration length maxduration',
    'keepSegments keeps parts of the source, such as [{"startTime": 0, "endTime": 2}]; trim takes seconds off its ends, such as {"start": 2}',
  ],
  [
    'silencethreshold silencelevel minsilence minsilenceduration silenceduration threshold silencepadding',
    'removeSilence: true finds the pauses by itself and takes no values',
  ],
  [
    'filterprofanity redact',
    'bleep covers the words that it names, such as ["damn"]; removeText cuts them',
  ],
  [
    'autocut viral',
    'suggestClips finds parts worth a clip; keepText keeps only the words that it names',
  ],
  // Words.
  [
    'srt vtt ass captionfile captionsfile captionurl captionsurl subtitlefile subtitleurl subtitlesurl subtitlesfile',
    'captions.source takes your own captions, such as {"source": {"url": "https://example.com/talk.srt"}}',
  ],
  [
    'captionstyle captionsstyle subtitlestyle captionfont captionfontsize captioncolor captionposition',
    'captions says how they look, such as {"style": "karaoke", "position": "middle"}',
  ],
  [
    'language languagecode lang locale sourcelanguage languagedetection detectlanguage',
    'the language that is spoken is recognised by itself',
  ],
  [
    'translate translation targetlanguage dub dubbing',
    'captions.translateTo translates captions, such as {"translateTo": ["es"]}; speech is not dubbed',
  ],
  [
    'topics sentiment sentimentanalysis entities entitydetection',
    'enableAiAnalysis finds tags, a summary and a likely place',
  ],
  [
    'timestamps wordtimestamps wordtimings words',
    'enableTranscription: true gives the time of every word',
  ],
  ['model speechmodel provider', 'the operator of the service chooses who recognises speech'],
  // What lies on top, and sound.
  [
    'watermark watermarks logo logos watermarkurl logourl image images overlayurl',
    'elements lays pictures over the video, such as [{"type": "image", "url": "https://example.com/logo.png"}]',
  ],
  [
    'text texts textoverlay textoverlays overlaytext drawtext caption headline',
    'elements lays text over the video, such as [{"type": "text", "text": "Chapter one"}]; captions shows what is said',
  ],
  [
    'music backgroundmusic soundtrack audiourl audiotrack voiceover backgroundaudio addaudio',
    'elements mixes in sounds, such as [{"type": "audio", "url": "https://example.com/music.mp3", "effects": {"volume": 0.2}}]',
  ],
  [
    'fade fadein fadeout fades',
    'fadeIn and fadeOut fade the whole film, such as {"duration": 1}; elements have effects.fadeIn and effects.fadeOut',
  ],
  [
    'volume gain audiovolume',
    'audio sets the volume of the film, such as {"volume": 0.5}; normalizeAudio brings the loudness to -16 LUFS; elements have effects.volume',
  ],
  [
    'replaceurl replaceaudio replacesound newaudio audioreplacement dub',
    'audio puts another sound in place of that of the film, such as {"replaceUrl": "https://example.com/voice.mp3"}',
  ],
  [
    'mute muted muteaudio silent noaudio disableaudio removeaudio keepaudio',
    'audio takes {"mute": true}; a clip in files takes disableAudio: true',
  ],
  [
    'intro outro intros outros prepend append',
    'files with combine: true joins clips, one after another',
  ],
  // What happens around it.
  [
    'storage destination bucket s3 outputurl outputpath outputfile outputkey uploadto saveto',
    'destinations delivers the result to a bucket of yours, such as [{"storage": "out"}]; otherwise it stays in the service, behind a link in finalVideoUrl',
  ],
  [
    'expiresin expires ttl retention',
    'the service decides how long files are kept; the record has filesExpireAt',
  ],
  [
    'async sync wait',
    'every request answers at once; GET /v1/videos/{videoId}/events follows the video',
  ],
  [
    'command ffmpeg ffmpegcommand args arguments cmd steps timeline tracks scenes modifications operations tasks pipeline',
    'a request names what the result should be like, such as "aspectRatio": "9:16"; GET /openapi.json lists all options',
  ],
]

/** The whole message for each such field. */
export const fieldsElsewhere: Readonly<Record<string, string>> = Object.fromEntries(
  table.flatMap(([words, instead]) =>
    words.split(' ').map((word) => [word, `Unknown field; ${instead}`]),
  ),
)
