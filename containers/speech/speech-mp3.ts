/** Ten minutes take 4.8 MB; at 24 kbit/s, which the encoder would choose, consonants suffer. */
export const speechCoding = ['-c:a', 'libmp3lame', '-b:a', '64k', '-ar', '16000', '-ac', '1']
