import { Badge } from '#web/ui/Badge.tsx'

/** Says of an amount that it has not begun. */
export const Upcoming = ({ since }: { since: string }) =>
  Date.parse(since) > Date.now() && <Badge tone="info">Programado</Badge>
