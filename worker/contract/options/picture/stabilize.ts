/** Limited, because the motion of a clip lies on the disk, some kilobytes for each picture, until all of it is measured. */
export const mostStabilizedSeconds = 600
