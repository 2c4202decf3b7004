import { Audiences } from './Audiences.tsx'
import { Flow } from './Flow.tsx'
import { Closing, Footer, Header, SkipLink } from './Frame.tsx'
import { Guarantee } from './Guarantee.tsx'
import { Hero } from './Hero.tsx'
import { Pictures } from './Pictures.tsx'
import { Roadmap } from './Roadmap.tsx'
import { Vision } from './Vision.tsx'

/** Drawn once, when the web is built: no state and no effects here. */
export const LandingPage = () => (
  <>
    <SkipLink />
    <Header />
    <main id="contenido" className="overflow-x-clip">
      <Hero />
      <Flow />
      <Pictures />
      <Audiences />
      <Guarantee />
      <Vision />
      <Roadmap />
      <Closing />
    </main>
    <Footer />
  </>
)
