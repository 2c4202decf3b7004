/** Browsers give passkeys to names, not to numbers. */
export const passkeysPossible = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|^\[/.test(location.hostname)
