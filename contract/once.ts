/** Made when it is first needed: the formats of a locale cost a slow phone tens of milliseconds before its first call. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
