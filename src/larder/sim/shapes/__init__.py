"""Small sites built as common platforms build theirs, in several languages: a request comes in, a page goes out.

Nothing in Larder knows them. A source added by its address alone must find what their truth holds.
"""

from larder.sim.shapes.agencies import AGENCIES
from larder.sim.shapes.agendas import AGENDAS
from larder.sim.shapes.boards import BOARDS
from larder.sim.shapes.calendars import CALENDARS
from larder.sim.shapes.catalogue_shops import CATALOGUE_SHOPS
from larder.sim.shapes.classifieds import CLASSIFIEDS
from larder.sim.shapes.flats import FLATS
from larder.sim.shapes.marketplaces import MARKETPLACES
from larder.sim.shapes.misleading import MISLEADING
from larder.sim.shapes.plain_shops import PLAIN_SHOPS
from larder.sim.shapes.priced_shops import PRICED_SHOPS
from larder.sim.shapes.programmes import PROGRAMMES
from larder.sim.shapes.regional_shops import REGIONAL_SHOPS
from larder.sim.shapes.scripted_shops import SCRIPTED_SHOPS
from larder.sim.shapes.shape import Shape, Thing
from larder.sim.shapes.shops import SHOPS
from larder.sim.shapes.stages import STAGES
from larder.sim.shapes.unlinked_sites import UNLINKED_SITES
from larder.sim.shapes.walks import WALKS

ALL_SHAPES = (
    *SHOPS,
    *PLAIN_SHOPS,
    *CATALOGUE_SHOPS,
    *REGIONAL_SHOPS,
    *SCRIPTED_SHOPS,
    *PRICED_SHOPS,
    *UNLINKED_SITES,
    *CLASSIFIEDS,
    *MARKETPLACES,
    *BOARDS,
    *AGENDAS,
    *PROGRAMMES,
    *CALENDARS,
    *STAGES,
    *FLATS,
    *AGENCIES,
    *WALKS,
)
SHAPES: dict[str, Shape] = {shape.name: shape for shape in ALL_SHAPES}

__all__ = ["ALL_SHAPES", "MISLEADING", "SHAPES", "Shape", "Thing"]
