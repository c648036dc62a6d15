/** A picture of the package, the tags that a person would give it, and tags for other things in it that are allowed. */
export type LabelledPicture = {
  readonly file: string
  readonly wanted: readonly string[]
  readonly allowed: readonly string[]
}

const passers = ['person', 'people', 'car', 'vehicle', 'bench']

function outdoors(folder: string, names: string, also: readonly string[] = []): LabelledPicture[] {
  const wanted = ['outdoors', ...also]
  return names
    .split(' ')
    .map((name) => ({ file: `${folder}/${name}.webp`, wanted, allowed: passers }))
}

function things(folder: string, kinds: Readonly<Record<string, string>>): LabelledPicture[] {
  return Object.entries(kinds).map(([name, kind]) => {
    const wanted = kind.split(' ').filter((word) => word !== '')
    return { file: `${folder}/${name}.webp`, wanted, allowed: [] }
  })
}

function animals(folder: string, kinds: Readonly<Record<string, string>>): LabelledPicture[] {
  return Object.entries(kinds).map(([name, kind]) => ({
    file: `${folder}/${name}.webp`,
    wanted: kind === '' ? ['animal'] : [kind, 'animal'],
    allowed: ['outdoors', 'greenery', 'blue sky'],
  }))
}

const sorted = 'categorization/resource/images'
const sky = ['blue sky']
const green = ['greenery']

/** The weights were learnt without the buildings and tools, but with the animals. */
export const pictures: readonly LabelledPicture[] = [
  ...outdoors(`${sorted}/monuments`, 'burj leMusee leaningTowerOfPisa mountRushmore'),
  ...outdoors(
    `${sorted}/monuments`,
    'monument1 cathedral parthenon usCapitol statueOfLiberty arcDeTriomphe',
    sky,
  ),
  ...outdoors(`${sorted}/monuments`, 'brandenburgGate zimniPalace eiffelTower IndiaGate'),
  ...outdoors(`${sorted}/renewable`, 'dam1 dam4 geothermal solar6 windmill11 windmill2'),
  ...outdoors(`${sorted}/renewable`, 'windmill windmill15 windmill4 windmill5 windmill9'),
  ...outdoors(`${sorted}/renewable`, 'windmill12 windmill3 windmill6 windmill8 dam2', sky),
  ...outdoors('france', 'chateaudeChambord eiffelTower pontduGard reimsCathedral rocamadour'),
  ...outdoors('germany', 'aulaPalatina trierImperialBaths'),
  ...outdoors('germany', 'berlinCathedral schwerinPalace', sky),
  ...outdoors('india', 'ajantaCave', green),
  ...outdoors('india', 'mysorePalace', sky),
  ...outdoors('india', 'hawaMahal qutubMinar charminar'),
  ...outdoors('usa', 'canyondeChelly fortSumter castillodeSanMarcos navajo'),
  ...things(`${sorted}/others`, {
    ...{ bucket: '', bulb: '', chair: 'chair', knife: 'knife fork spoon', pan: '', pillow: 'bed' },
    ...{ plate: '', spoons: 'spoon', weighingMachine: '', baseball: 'ball', volleyball: 'ball' },
  }),
  ...things(`${sorted}/tools`, {
    ...{ cuttingTool: '', hammer3: '', hammer4: '', hammer5: '', measuringTape2: '', plier1: '' },
    ...{ measuringTape5: '', multimeter1: '', multimeter3: '', nailCutter: '', spray: 'bottle' },
    ...{ screwDriver: '', screwDriver1: '', sickle: '', tweezer: '', wrench1: '' },
    ...{ scissors2: 'scissors', scissors3: 'scissors' },
  }),
  ...animals('explore_farm_animals/resource/animals', {
    ...{ cat: 'cat', chicken: 'bird', cow: 'cow', dog: 'dog', duck: 'bird', horse: 'horse' },
    ...{ owl: 'bird', pig: '', sheep: 'sheep' },
  }),
  ...animals('explore_world_animals/resource/animals', {
    ...{ bison: '', chameleon: '', crocodile: '', giraffe: 'giraffe', hedgehog: '', jaguar: '' },
    ...{ kangaroo: '', koala: '', lemur: '', moose: '', panda: 'bear', polar_bear: 'bear' },
    ...{ scarlet_macaw: 'bird' },
  }),
]
