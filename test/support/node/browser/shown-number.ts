/**
 * Runs in a page: the number that its video shows as bars (`countedVideo`). It is asked until it is right, because no event
 * says that the picture of a place is there: `seeked` may come before it, and the callback for pictures never comes to a page
 * that is not painted.
 */
export const shownNumber = `(() => {
  const video = document.querySelector('video')
  if (video.seeking) return 'seeking'
  const { videoWidth: width, videoHeight: height } = video
  const drawing = new OffscreenCanvas(width, height).getContext('2d')
  drawing.drawImage(video, 0, 0)
  const { data } = drawing.getImageData(0, height / 2, width, 1)
  const isWhite = (bit) => data[Math.floor(((bit + 0.5) * width) / 16) * 4] > 127
  return Array.from({ length: 16 }, (_, bit) => isWhite(bit) * 2 ** bit).reduce((a, b) => a + b)
})()`
