/** Pictures of this machine that were chosen, by the address that stands for them in the request. */
export const pickedPictures = new Map<string, string>()
