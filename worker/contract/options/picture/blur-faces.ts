/** Up to how many seconds of pictures faces are looked for in. */
export const mostFaceSeconds = 3600
