/** A message of supplemental enhancement information: sei_message, 7.3.2.3.1 of H.264 and 7.3.5 of H.265. */
type SeiMessage = { readonly type: number; readonly payload: Buffer }

/** The messages of an SEI unit of H.264 or HEVC, without its head and its escapes. */
export function* seiMessages(plain: Buffer): Generator<SeiMessage> {
  let at = 0
  const valueAt = (): number => {
    let sum = 0
    for (; plain[at] === 255; at++) sum += 255
    return sum + (plain[at++] ?? 0)
  }
  while (at + 2 < plain.length) {
    const [type, size] = [valueAt(), valueAt()]
    yield { type, payload: plain.subarray(at, at + size) }
    at += size
  }
}

/** user_data_registered_itu_t_t35: D.1.6 of H.264, D.2.6 of H.265. */
const registeredUserData = 4
/** `itu_t_t35_country_code` of the United States. */
const unitedStates = 0xb5
/** `itu_t_t35_provider_code` of ATSC, whose user data have a name and a kind, and of DirecTV. */
const atsc = 0x31
const captionsOfAtsc = Buffer.from('GA94\u0003', 'latin1')
const directTv = 0x2f

/** Whether a message has closed captions, as ANSI/SCTE 128 describes them. */
export function hasClosedCaptions({ type, payload }: SeiMessage): boolean {
  if (type !== registeredUserData || payload.length < 4 || payload[0] !== unitedStates) return false
  const provider = payload.readUInt16BE(1)
  const isAtsc = provider === atsc && payload.subarray(3, 8).equals(captionsOfAtsc)
  return isAtsc || provider === directTv
}
