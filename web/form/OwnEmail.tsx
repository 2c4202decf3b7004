/** Whose password is chosen below: for the browser's list of passwords, which else would not know. */
export const OwnEmail = ({ email }: { email: string }) => (
  <label className="grid gap-1.5">
    <span className="font-medium">Correo electrónico</span>
    <input
      value={email}
      readOnly
      autoComplete="username"
      className="min-h-9 rounded-lg border bg-sunken px-3 text-muted max-sm:min-h-11"
    />
  </label>
)
