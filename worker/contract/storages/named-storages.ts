import { addressesBeside } from '../addresses/addresses-beside.ts'
import type { CreateVideo } from '../options/create-video.ts'
import { readStorageAddress, type StorageAddress } from './storage-address.ts'

/** An object in a storage that a request names, and the field that names it. */
type NamedObject = StorageAddress & { field: string }

export type Naming = Pick<
  CreateVideo,
  'elements' | 'captions' | 'color' | 'background' | 'waveform'
> &
  Partial<Pick<CreateVideo, 'fileUrl' | 'files' | 'destinations'>>

/** Every address of a request, and the field that names it. */
export function addressesNamed(request: Naming): { field: string; url: string }[] {
  const { fileUrl, files = [], elements = [] } = request
  const named = [
    { field: 'fileUrl', url: fileUrl },
    ...files.map(({ url }, i) => ({ field: `files[${i}].url`, url })),
    ...elements.map((element, i) => ({
      field: `elements[${i}].url`,
      url: 'url' in element ? element.url : undefined,
    })),
    ...addressesBeside(request),
  ]
  return named.flatMap(({ field, url }) => (url === undefined ? [] : [{ field, url }]))
}

/** Every `storage://` address of a request. */
export function objectsNamed(request: Naming): NamedObject[] {
  return addressesNamed(request).flatMap(({ field, url }) => {
    const address = readStorageAddress(url)
    return address ? [{ field, ...address }] : []
  })
}
