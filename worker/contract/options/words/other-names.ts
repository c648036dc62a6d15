/**
 * Other words that people use for our names, from habit or from other services: in lower case, letters and digits only.
 * A word is compared only with the names that are possible in its place, so `url` can mean `fileUrl` in one place and
 * itself in another.
 */
const lists: Readonly<Record<string, string>> = {
  // Sources and what is said about a video.
  fileUrl:
    'url uri link src source sourceurl input inputurl inputfile video videourl videouri videosrc file path mediaurl media href',
  url: 'uri link src source sourceurl href fileurl videourl imageurl audiourl mediaurl media file path image asset',
  files: 'urls videos sources inputs clips fileurls videourls parts fileslist media inputfiles',
  uploadId: 'upload uploadedfile uploadkey fileid',
  sourceVideoId: 'videoid fromvideo fromvideoid sourceid originalvideoid parentvideoid basevideoid',
  videoName: 'name title filename label videotitle',
  webhookUrl:
    'webhook webhooks hook hookurl callback callbackurl notify notifyurl notificationurl address',
  reuse: 'cache cached caching dedupe deduplicate',
  maxSeconds: 'maxtime timelimit mostseconds maxruntime maxprocessingseconds',
  maxPrice: 'maxcost budget pricelimit mostprice costlimit',
  metadata: 'meta custom customdata userdata userdefined data labels passthrough',
  preset: 'presetname presetid template templatename templateid profile recipe',
  fields: 'options settings params parameters body request defaults',
  combine: 'merge concat concatenate join combined combinevideos combinefiles stitch',
  // Options.
  removeSilence:
    'silence trimsilence cutsilence silenceremoval skipsilence removesilences removepauses cutpauses jumpcut jumpcuts pauses',
  normalizeAudio:
    'normalize normalise normaliseaudio audionormalization normalizevolume normalizesound loudnorm loudness normalization lufs targetlufs targetloudness',
  removeNoise:
    'noise denoise noisereduction noiseremoval reducenoise removebackgroundnoise cleanaudio denoiseaudio noisesuppression enhanceaudio enhancespeech',
  enableTranscription:
    'transcribe transcript transcription transcripts enabletranscript speechtotext stt asr',
  captions:
    'subtitles subtitle caption subs burncaptions burnsubtitles burnedsubtitles closedcaptions autocaptions autosubtitles generatedsubtitles',
  enableAiAnalysis:
    'ai analysis analyse analyze aianalysis enableanalysis enableai contentanalysis tags summary summarize summarise summarization',
  enableThumbnail:
    'thumbnail thumbnails thumb poster still generatethumbnail preview previewimage enablethumbnails',
  outputFormat:
    'format container output fileformat videoformat outputtype extension ext filetype type',
  compressionQuality: 'quality compression compressionlevel videoquality q',
  split: 'parts inparts parallel turbo accelerate accelerated chunked',
  rotate: 'rotation turn angle orientation rotatedegrees rotateangle transpose',
  blurFaces: 'faceblur blurface hidefaces anonymize anonymizefaces pixelatefaces coverfaces',
  aspectRatio: 'ratio aspect shape dimensions videoratio',
  resizeMode: 'resize fit fitmode scalemode scale mode resizing objectfit',
  backgroundColor:
    'background bg bgcolor color colour backgroundcolour padcolor letterboxcolor barcolor fillcolor',
  removeSegments:
    'segments segment cut cuts remove removals exclude skip removeparts cutsegments removeranges cutlist',
  keepSegments: 'keep keepparts keepranges includesegments segmentstokeep',
  trim: 'trimming trimends',
  speed: 'playbackrate playbackspeed rate tempo slowmotion timelapse speedup',
  removeText: 'removewords cutwords deletewords removephrases cuttext',
  keepText: 'keepwords keepphrases',
  removeFillers: 'fillers fillerwords removefillerwords ums cutfillers disfluencies',
  speakers: 'speakerlabels diarize diarization speakerdetection speakercount',
  bleep: 'bleepwords censor censorwords censoring beep profanity profanityfilter maskwords',
  vocabulary:
    'keyterms keyterm keytermsprompt keywords wordboost customvocabulary customwords glossary phrasehints names initialprompt',
  suggestClips: 'highlights moments shorts findclips suggestedclips',
  clips: 'renderclips makeclips cutclips',
  chapters: 'chapter autochapters chaptermarkers addchapters',
  cutTransition: 'cuttransitions transitionatcuts cutfade cutcrossfade jointransition',
  elements: 'element overlay overlays layer layers images watermark watermarks logo logos music',
  disableAudio: 'mute muted silent noaudio disablesound removeaudio audio',
  // Inside captions and texts.
  style: 'captionstyle theme look',
  font: 'fontfamily fontname typeface',
  color: 'fontcolor textcolor colour fontcolour',
  highlight: 'highlightcolor highlightcolour activecolor activewordcolor',
  burn: 'hardcode hardsub burnin',
  embed: 'softsub track mux',
  // Inside an element.
  type: 'kind elementtype mediatype',
  timing: 'time when times timerange',
  position: 'place location pos placement',
  size: 'dimensions dimension scale',
  effects: 'effect fx style',
  duck: 'ducking autoduck sidechain duckmusic lowermusic',
  zIndex: 'z layer order zorder level stack',
  loop: 'repeat looping loops',
  comment: 'comments note notes description label',
  startTime: 'start from begin starts startsat startat startseconds startsec begintime fromtime in',
  endTime:
    'end to until till stop ends endsat endat endseconds endsec finish stoptime totime out duration length',
  entireVideo: 'always fullvideo wholevideo entire throughout',
  anchor: 'align alignment gravity corner origin',
  x: 'left posx xpos offsetx',
  y: 'top posy ypos offsety',
  width: 'w',
  height: 'h',
  fit: 'mode objectfit resizemode fitmode',
  opacity: 'alpha transparency',
  volume: 'gain loudness vol level',
  fadeIn: 'fade fadestart',
  fadeOut: 'fadeend',
  duration: 'seconds length time durationseconds sec',
  easing: 'ease curve easingfunction timingfunction',
  // Direct uploads.
  fileName: 'name file title path originalname',
  sizeInBytes: 'size filesize bytes sizebytes length contentlength totalsize totalbytes',
  contentType: 'mimetype mime type filetype mediatype',
  partNumber: 'part number partno index no',
  etag: 'tag hash checksum md5',
  // Keys and accounts.
  accountId: 'account',
  keyId: 'key',
  scopes: 'scope permissions rights',
  expiresAt: 'expires expiry expiration validuntil',
  // Queries.
  status: 'state filter',
  limit: 'pagesize perpage count size max top first take',
  cursor: 'page pagetoken nextcursor next after offset startingafter skip token',
  videoId: 'video id videoids vid',
  // Values.
  queued: 'pending waiting new created',
  running: 'processing inprogress active started working rendering',
  succeeded: 'success successful done complete completed finished ready ok',
  failed: 'error errored failure',
  canceled: 'aborted stopped',
  mov: 'quicktime qt',
  '9:16': 'portrait vertical',
  '16:9': 'landscape horizontal widescreen',
  '1:1': 'square',
  cover: 'crop fill zoom',
  contain: 'letterbox pad inside bars',
  stretch: 'distort scale',
  center: 'middle centre centered centercenter',
  'top-center': 'top topmiddle centertop topcentre',
  'bottom-center': 'bottom bottommiddle centerbottom bottomcentre',
  'center-left': 'left middleleft leftcenter',
  'center-right': 'right middleright rightcenter',
  'top-left': 'lefttop upperleft',
  'top-right': 'righttop upperright',
  'bottom-left': 'leftbottom lowerleft',
  'bottom-right': 'rightbottom lowerright',
  'ease-in-out': 'ease smooth',
  image: 'img picture pic photo png jpg jpeg logo',
  audio: 'sound music mp3 wav song',
  video: 'clip movie mp4 mov webm',
}

const otherNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(lists).map(([name, list]) => [name, list.split(' ')]),
)

/** Whether people who write `plain` (lower case, no separators) mean this name. */
export function isOtherNameOf(plain: string, name: string): boolean {
  return otherNames.get(name)?.includes(plain) ?? false
}
